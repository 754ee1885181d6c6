package agent

import "fmt"

// Caught calls do and returns its panic as an error that names who: only its own goroutine can recover it.
func Caught(who string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s broke (%v)", who, p)
		}
	}()
	return do()
}
