package export

import (
	"encoding/base64"
	"html/template"
	"regexp"
	"strconv"
	"strings"
)

// score is what a judge gave in a round.
type score struct {
	Round, Score string
	Bar          string // a block for each point, for Word: older ones show no SVG
}

var scoreInChart = regexp.MustCompile(
	`>([0-9]{1,4})</text>\s*<circle[^>]*/><text[^>]*>([0-9]{1,2}\.[0-9])</text>`)

// draw puts the chart of the scores on the page, as a picture that a browser keeps apart from it.
func (p *page) draw(chart []byte) {
	for _, m := range scoreInChart.FindAllSubmatch(chart, -1) {
		points, _ := strconv.ParseFloat(string(m[2]), 64) // as the expression has it
		bar := strings.Repeat("█", int(min(points, 10)+.5))
		p.Scores = append(p.Scores, score{string(m[1]), string(m[2]), bar})
	}
	if len(p.Scores) > 0 {
		p.Chart = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(chart))
	}
}
