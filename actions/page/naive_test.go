package page_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/mmcdole/gofeed"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/net/html"
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

// naivePDF takes the library as it comes: without a limit on memory, pages or time.
func naivePDF(body []byte) error {
	folder, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(folder, "daybook"))
	if err != nil {
		return err
	}
	pool, err := webassembly.Init(webassembly.Config{MaxTotal: 1, Stdout: io.Discard, Stderr: io.Discard,
		RuntimeConfig: wazero.NewRuntimeConfig().WithCompilationCache(cache).
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling)})
	if err != nil {
		return err
	}
	defer pool.Close()
	reader, err := pool.GetInstance(time.Minute)
	if err != nil {
		return err
	}
	doc, err := reader.OpenDocument(&requests.OpenDocument{File: &body})
	if err != nil {
		return err
	}
	count, err := reader.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: doc.Document})
	if err != nil {
		return err
	}
	for i := range count.PageCount {
		_, err := reader.GetPageText(&requests.GetPageText{
			Page: requests.Page{ByIndex: &requests.PageByIndex{Document: doc.Document, Index: i}}})
		if err != nil {
			return err
		}
	}
	return nil
}
