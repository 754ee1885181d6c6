package export

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The columns of a table in Word are as wide as what is in them.
func TestColumnsFitTheirWords(t *testing.T) {
	const cells = `<w:tr><w:tc><w:p><w:t>role</w:t></w:p></w:tc><w:tc><w:p><w:t>last restore</w:t></w:p></w:tc></w:tr>`
	assert.Equal(t, `<w:tbl><w:gridCol w:w="3705" /><w:gridCol w:w="5294" />`+cells+`</w:tbl>`,
		string(fitted([]byte(`<w:tbl><w:gridCol w:w="9" /><w:gridCol w:w="9"/>`+cells+`</w:tbl>`))))
}
