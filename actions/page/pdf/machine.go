package pdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// machineMemory bounds a machine, in bytes: 16 MB of PDFium, MaxPacked, and the working memory for a page.
const machineMemory = 64 << 20

// Reader runs PDFium, the PDF reader of Chrome, compiled to WebAssembly: it can reach only its own memory, no
// file, no network, no clock that matters. Every document gets its own instance, which is discarded
// afterwards, whatever happened inside; one that exceeds its time is stopped from outside.
//
// Compiling takes two seconds once, and the result, 14 MB, is kept below the user's cache folder: later
// starts take 80 ms. The zero value is ready; nothing happens before the first PDF.
type Reader struct {
	once  sync.Once
	turn  chan struct{} // one document at a time: each may take all its memory
	cache wazero.CompilationCache
	over  bool // closed for good
}

// lend waits its turn and calls use with a machine. Waiting and running end with ctx.
func (m *Reader) lend(ctx context.Context, memory uint64, use func(pdfium.Pdfium) error) (err error) {
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
	pool, err := webassembly.Init(webassembly.Config{
		Context:  experimental.WithMemoryAllocator(ctx, allocator(memory)),
		MaxTotal: 1,
		FSConfig: wazero.NewFSConfig(), // nil would be the whole disk
		RuntimeConfig: wazero.NewRuntimeConfig().WithCloseOnContextDone(true).WithCompilationCache(m.cache).
			// PDFium's program needs them
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling),
		Stdout: io.Discard,
		Stderr: io.Discard,
	})
	if err != nil {
		return fmt.Errorf("starting the PDF reader: %w", err)
	}
	defer func() {
		if closing := pool.Close(); err == nil { // closing one that failed repeats its failure
			err = closing
		}
		debug.FreeOSMemory() // otherwise the collector may let two or three memories of 64 MB pile up
	}()
	instance, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return fmt.Errorf("starting the PDF reader: %w", err)
	}
	return use(instance)
}

// allocator bounds memory; the runtime's limit would refuse PDFium, which declares 2 GB.
func allocator(limit uint64) experimental.MemoryAllocator {
	return experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory {
		return memory(make([]byte, 0, limit)) // all at once, so that growing leaves no copies behind
	})
}

// memory is the memory of a machine.
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

func (m *Reader) open() {
	m.turn = make(chan struct{}, 1)
	m.cache = openCache()
}

// openCache opens the cache of compiled code, in memory if no file can be kept.
func openCache() wazero.CompilationCache {
	if folder, err := os.UserCacheDir(); err == nil {
		folder = filepath.Join(folder, "daybook")
		if os.MkdirAll(folder, 0o700) == nil {
			if cache, err := wazero.NewCompilationCacheWithDir(folder); err == nil {
				return cache
			}
		}
	}
	return wazero.NewCompilationCache()
}

// Close frees what reading took. It waits for the document being read.
func (m *Reader) Close() error {
	m.once.Do(m.open)
	m.turn <- struct{}{}
	defer func() { <-m.turn }()
	if m.over {
		return nil
	}
	m.over = true
	return m.cache.Close(context.Background())
}
