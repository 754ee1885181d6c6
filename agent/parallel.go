package agent

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// SideBySide calls do for 0 to n-1, on as many goroutines as there are processors, and waits for all. If one
// panics, SideBySide panics in its caller once all have ended, where it can be recovered.
func SideBySide(n int, do func(i int)) {
	var all sync.WaitGroup
	var next atomic.Int64
	var once sync.Once
	var broken any
	work := func() {
		defer func() {
			if p := recover(); p != nil {
				once.Do(func() { broken = p })
			}
		}()
		for i := next.Add(1); i <= int64(n); i = next.Add(1) {
			do(int(i) - 1)
		}
	}
	for range min(n, runtime.GOMAXPROCS(0)) - 1 {
		all.Go(work)
	}
	work()
	if all.Wait(); broken != nil {
		panic(broken)
	}
}

// Caught calls do and returns its panic as an error that names who: only its own goroutine can recover it.
func Caught(who string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s broke (%v)", who, p)
		}
	}()
	return do()
}
