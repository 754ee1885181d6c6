package page

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"sync"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

const (
	// machinePages is how much memory the machine may take, in pages of 64 KB: 64 MB. PDFium starts with 16 MB, and a
	// document of up to MaxPacked stands in it beside what is made of a page.
	machinePages = 64 << 4
	// machineStart is how long an instance may take to come up once the machine is compiled; it needs milliseconds.
	machineStart = 10 * time.Second
)

// machine runs PDFium, the PDF reader of Chrome, compiled to WebAssembly: it can reach its own memory and nothing else,
// no file, no network, no clock that matters. Every document gets an instance of its own, which is thrown away after it,
// whatever happened inside; one that runs on beyond its time is stopped from outside.
//
// Compiling takes two seconds once, and the result, 14 MB, is kept below the user's cache folder: later a start takes
// 70 ms, and an instance 10. The zero value is ready; nothing happens before the first PDF.
type machine struct {
	once  sync.Once
	turn  chan struct{} // one instance at a time: each may take all its memory
	pool  pdfium.Pool
	cache wazero.CompilationCache
	over  bool // closed for good
}

// lend hands an instance to use. It waits for its turn no longer than ctx lasts.
func (m *machine) lend(ctx context.Context, use func(api.Module) error) (err error) {
	m.once.Do(m.open)
	select {
	case m.turn <- struct{}{}:
		defer func() { <-m.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if m.over {
		return errors.New("the reader of PDFs is closed")
	}
	if m.pool == nil {
		if err := m.start(); err != nil {
			return fmt.Errorf("starting the PDF reader: %w", err)
		}
	}
	instance, err := m.pool.GetInstance(machineStart)
	if err != nil {
		return fmt.Errorf("starting the PDF reader: %w", err)
	}
	defer func() {
		if closing := instance.Close(); err == nil { // closing one that failed repeats its failure
			err = closing
		}
		debug.FreeOSMemory() // else the collector may let a second and a third memory of 64 MB pile up
	}()
	module, err := moduleOf(instance)
	if err == nil {
		err = cage(module)
	}
	if err != nil {
		return err
	}
	return use(module)
}

// moduleOf is the WebAssembly module behind an instance. The library's own calls cannot be stopped, since they run
// without a context; calls of the module can.
func moduleOf(instance pdfium.Pdfium) (api.Module, error) {
	value := reflect.Indirect(reflect.ValueOf(instance.GetImplementation()))
	if value.Kind() == reflect.Struct {
		if field := value.FieldByName("Module"); field.IsValid() && field.CanInterface() {
			if module, ok := field.Interface().(api.Module); ok {
				return module, nil
			}
		}
	}
	return nil, errors.New("this version of the PDF reader does not show its WebAssembly module")
}

// cage gives a module all its memory at once, so that growing leaves no copies behind, and takes away the right to more.
// The runtime's own limit does not fit: it refuses a program that declares more, as PDFium does with 2 GB.
func cage(module api.Module) error {
	memory := module.Memory()
	most := reflect.Indirect(reflect.ValueOf(memory))
	if most.Kind() == reflect.Struct {
		most = most.FieldByName("Max")
	}
	if most.Kind() != reflect.Uint32 || !most.CanSet() {
		return errors.New("this version of the WebAssembly runtime does not let its memory be limited")
	}
	most.SetUint(machinePages)
	_, ok := memory.Grow(machinePages - memory.Size()>>16)
	if !ok {
		return errors.New("the WebAssembly runtime has no memory for it")
	}
	return nil
}

func (m *machine) start() error {
	config := wazero.NewRuntimeConfig().
		WithCloseOnContextDone(true)
	m.cache = openCache()
	if m.cache != nil {
		config = config.WithCompilationCache(m.cache)
	}
	var err error
	m.pool, err = webassembly.Init(webassembly.Config{
		MaxTotal:      1,
		FSConfig:      wazero.NewFSConfig(), // nil would be the whole disk
		RuntimeConfig: config,
		Stdout:        io.Discard,
		Stderr:        io.Discard,
	})
	return err
}

// openCache is nil where no file can be kept; compiling each time is slow, not wrong.
func openCache() wazero.CompilationCache {
	folder, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	folder = filepath.Join(folder, "daybook")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil
	}
	cache, err := wazero.NewCompilationCacheWithDir(folder)
	if err != nil {
		return nil
	}
	return cache
}

func (m *machine) open() { m.turn = make(chan struct{}, 1) }

// close waits for the document that is being read.
func (m *machine) close() error {
	m.once.Do(m.open)
	m.turn <- struct{}{}
	defer func() { <-m.turn }()
	m.over = true
	var errs []error
	if m.pool != nil {
		errs = append(errs, m.pool.Close())
	}
	if m.cache != nil {
		errs = append(errs, m.cache.Close(context.Background()))
	}
	m.pool, m.cache = nil, nil
	return errors.Join(errs...)
}
