package page

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

const (
	// machineMemory is how much memory the machine may take, in bytes. PDFium starts with 16 MB, and a
	// document of up to MaxPacked is in it with what is made of a page.
	machineMemory = 64 << 20
	// machineStart is how long an instance may take to come up once the machine is compiled; it needs
	// milliseconds.
	machineStart = 10 * time.Second
)

// machine runs PDFium, the PDF reader of Chrome, compiled to WebAssembly: it can reach its own memory and
// nothing else, no file, no network, no clock that matters. Every document gets an instance of its own, which
// is thrown away after it, whatever happened inside; one that runs on beyond its time is stopped from
// outside.
//
// Compiling takes two seconds once, and the result, 14 MB, is kept below the user's cache folder: later a
// start takes 70 ms, and an instance 10. The zero value is ready; nothing happens before the first PDF.
type machine struct {
	once  sync.Once
	turn  chan struct{} // one instance at a time: each may take all its memory
	pool  pdfium.Pool
	cache wazero.CompilationCache
	cage  cage
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
	return use(m.cage.module)
}

// cage bounds an instance's memory and keeps hold of its module: the library's own calls cannot be stopped,
// since they run without a context; calls of the module can. The runtime's own limit does not fit: it refuses
// a program that declares more, as PDFium does with 2 GB.
type cage struct {
	limit  uint64
	module api.Module // of the latest instance
}

// Allocate gives an instance all its memory at once, so that growing leaves no copies behind.
func (c *cage) Allocate(_, _ uint64) experimental.LinearMemory {
	return memory(make([]byte, 0, c.limit))
}

// memory is that of an instance.
type memory []byte

// Reallocate grows the memory, up to its capacity.
func (m memory) Reallocate(size uint64) []byte {
	if size > uint64(cap(m)) {
		return nil
	}
	return m[:size]
}

// Free leaves the memory to the garbage collector.
func (m memory) Free() {}

// NewFunctionListener listens to the first function that an instance calls.
func (c *cage) NewFunctionListener(f api.FunctionDefinition) experimental.FunctionListener {
	if slices.Contains(f.ExportNames(), "FPDF_InitLibrary") {
		return experimental.FunctionListenerFunc(func(
			_ context.Context, module api.Module, _ api.FunctionDefinition, _ []uint64, _ experimental.StackIterator,
		) {
			c.module = module
		})
	}
	return nil
}

// within is the context in which a caged instance is made.
func (c *cage) within(ctx context.Context) context.Context {
	return experimental.WithFunctionListenerFactory(experimental.WithMemoryAllocator(ctx, c), c)
}

// features are those that PDFium's program needs of the runtime.
const features = api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling

func (m *machine) start() error {
	config := wazero.NewRuntimeConfig().
		WithCloseOnContextDone(true).
		WithCoreFeatures(features)
	m.cache = openCache()
	if m.cache != nil {
		config = config.WithCompilationCache(m.cache)
	}
	var err error
	m.pool, err = webassembly.Init(webassembly.Config{
		Context:       m.cage.within(context.Background()),
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

func (m *machine) open() {
	m.turn = make(chan struct{}, 1)
	m.cage.limit = machineMemory
}

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
