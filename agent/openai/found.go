package openai

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// A server on this machine is there at once, for it is the system that takes up the connection; what it
	// has to say may take a moment.
	knockTimeout = 100 * time.Millisecond
	foundTimeout = 500 * time.Millisecond
)

// Found is a model server that answers.
type Found struct {
	Provider Provider
	Models   []string // in the server's order; empty when it has none
}

// Look asks the servers of these providers at once whether they are there, and gives those that are, in the
// order of the providers. It is for servers on this machine: one that is not there at once is not found.
func Look(ctx context.Context, providers []Provider) []Found {
	ctx, cancel := context.WithTimeout(ctx, foundTimeout)
	defer cancel()
	through := &http.Transport{DialContext: (&net.Dialer{Timeout: knockTimeout}).DialContext,
		DisableKeepAlives: true}
	there := make([]*Found, len(providers))
	var asking sync.WaitGroup
	for i, p := range providers {
		asking.Go(func() {
			if list, err := (&Brain{BaseURL: p.BaseURL}).list(ctx, through); err == nil {
				there[i] = &Found{Provider: p, Models: namesOf(list)}
			}
		})
	}
	asking.Wait()
	var found []Found
	for _, f := range there {
		if f != nil {
			found = append(found, *f)
		}
	}
	return found
}

// IsLocal says whether a base URL is a server on this machine.
func IsLocal(baseURL string) bool {
	name, _, err := net.SplitHostPort(host(baseURL))
	return err == nil && isLoopback(name)
}
