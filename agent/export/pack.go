package export

import (
	"archive/zip"
	"bytes"
	"fmt"
	"time"
)

type packed struct {
	name string
	data []byte
}

// pack makes a zip file, the same to the byte for the same files: all have the date of the report.
func pack(files []packed, written time.Time) ([]byte, error) {
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for _, file := range files {
		w, err := to.CreateHeader(&zip.FileHeader{
			Name: file.name, Method: zip.Deflate, Modified: written.UTC()})
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
