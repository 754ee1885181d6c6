package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// errInterrupted is the cause with which a run's context ends after Ctrl-C.
var errInterrupted = errors.New("interrupted")

// interruptible gives a context that Ctrl-C or SIGTERM ends, after first; a second one calls last and ends
// the process.
func interruptible(first, last func()) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	over := make(chan struct{})
	go func() {
		for n := 0; ; n++ {
			select {
			case <-signals:
			case <-over:
				return
			}
			if n > 0 {
				last()
				os.Exit(exitInterrupted)
			}
			first()
			cancel(errInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(over)
		cancel(nil)
	}
}
