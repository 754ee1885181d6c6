package page_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"

	"github.com/mmcdole/gofeed"
	"golang.org/x/net/html"

	"github.com/daybook-agent/daybook/actions/page"
)

// The readers of the control: the same libraries, used as their introductions show it, without a limit.

func naiveZip(body []byte) error {
	r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	files := map[string][]byte{}
	for _, f := range r.File {
		stream, err := f.Open()
		if err != nil {
			return err
		}
		if files[f.Name], err = io.ReadAll(stream); err != nil {
			return err
		}
	}
	return nil
}

func naiveHTML(body []byte) error {
	_, err := html.Parse(bytes.NewReader(body))
	return err
}

func naiveXML(body []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(body))
	for {
		if _, err := decoder.Token(); err != nil {
			return err
		}
	}
}

func naiveFeed(body []byte) error {
	_, err := gofeed.NewParser().Parse(bytes.NewReader(body))
	return err
}

func naiveJSON(body []byte) error {
	var out bytes.Buffer
	return json.Indent(&out, body, "", "  ")
}

func naiveCSV(body []byte) error {
	_, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	return err
}

func naivePDF(body []byte) error {
	return page.UncagedPDF(context.Background(), body)
}
