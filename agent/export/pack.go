package export

import (
	"archive/zip"
	"bytes"
	"fmt"
)

// packed is a file in a zip file.
type packed struct {
	name string
	data []byte
}

// pack makes a zip file, the same to the byte for the same files: they have no date.
func pack(files []packed) ([]byte, error) {
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for _, file := range files {
		w, err := to.Create(file.name)
		if err == nil {
			_, err = w.Write(file.data)
		}
		if err != nil {
			return nil, fmt.Errorf("packing %s: %w", file.name, err)
		}
	}
	err := to.Close()
	return out.Bytes(), err
}
