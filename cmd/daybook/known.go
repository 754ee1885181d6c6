package main

import (
	"cmp"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/openai"
)

// known keeps what was found out about model servers in the person's cache. Where it cannot, it is found out
// again.
type known struct {
	path string // "" where there is no cache
	log  *slog.Logger
	mu   sync.Mutex
}

// knownFor is how long a finding counts. Servers are updated, and then can more.
const knownFor = 30 * 24 * time.Hour

const (
	maxKnown   = 1 << 20 // bytes of the file
	maxServers = 50      // findings in it: it is read at each start
)

// finding is what is known of one server and model, and since when.
type finding struct {
	Found time.Time `json:"found"`
	openai.Capabilities
}

// knownServers is the file in the cache of whoever runs the program.
func knownServers(log *slog.Logger) *known {
	k := &known{log: log}
	if dir, err := os.UserCacheDir(); err == nil {
		k.path = filepath.Join(dir, "daybook", "servers.json")
	} else {
		k.tell(err)
	}
	return k
}

// remember has a Brain begin with what is known of its server and model, and keeps what it finds out.
func (k *known) remember(b *openai.Brain) {
	id := serverAndModel(b)
	b.Known = k.read()[id].Capabilities
	b.Learned = func(c openai.Capabilities) { k.keep(id, c) }
}

// serverAndModel is the name of a finding. A password or key in the address is not in it.
func serverAndModel(b *openai.Brain) string {
	return strings.TrimRight(server(cmp.Or(b.BaseURL, openai.DefaultBaseURL)), "/") + " " + b.Model
}

// read is what is known and not too old.
func (k *known) read() map[string]finding {
	all := map[string]finding{}
	if k.path == "" {
		return all
	}
	data, err := readInside(filepath.Dir(k.path), filepath.Base(k.path), maxKnown)
	if err == nil {
		err = bounds.JSON(data, &all)
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			k.tell(err)
		}
		return map[string]finding{}
	}
	maps.DeleteFunc(all, func(_ string, f finding) bool {
		age := time.Since(f.Found)
		return age > knownFor || age < -knownFor
	})
	return all
}

// keep writes down what is known of a server; of two at the same instant one wins.
func (k *known) keep(id string, c openai.Capabilities) {
	if k.path == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	all := k.read()
	delete(all, id)
	for len(all) >= maxServers {
		oldest := slices.MinFunc(slices.Collect(maps.Keys(all)), func(a, b string) int {
			return cmp.Or(all[a].Found.Compare(all[b].Found), strings.Compare(a, b))
		})
		delete(all, oldest)
	}
	all[id] = finding{time.Now().UTC().Truncate(time.Second), c}
	if err := replaceJSON(k.path, all); err != nil {
		k.tell(err)
	}
}

func (k *known) tell(err error) {
	if k.log != nil {
		k.log.Info("what is known of model servers is not kept", slog.String("why", err.Error()))
	}
}
