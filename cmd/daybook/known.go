package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
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

// known keeps what was found out about model servers from one run to the next, in a small file of the
// person's cache. It is a convenience: that it cannot be read or written stops nothing, and deleting it
// costs a few requests.
type known struct {
	path string // "" where there is no cache
	log  *slog.Logger
	now  func() time.Time
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
	k := &known{log: log, now: time.Now}
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
	base := b.BaseURL
	if base == "" {
		base = openai.DefaultBaseURL
	}
	return strings.TrimRight(server(base), "/") + " " + b.Model
}

// read is what is known and not too old.
func (k *known) read() map[string]finding {
	all := map[string]finding{}
	if k.path == "" {
		return all
	}
	info, err := os.Stat(k.path)
	if err == nil && info.Size() > maxKnown {
		err = fmt.Errorf("%s has %d bytes", k.path, info.Size())
	}
	if err == nil {
		var data []byte
		if data, err = os.ReadFile(k.path); err == nil {
			err = bounds.JSON(data, &all)
		}
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			k.tell(err)
		}
		return map[string]finding{}
	}
	for id, f := range all {
		if age := k.now().Sub(f.Found); age > knownFor || age < -knownFor {
			delete(all, id)
		}
	}
	return all
}

// keep writes down what is known of a server. What others wrote since is kept; of two at the same instant one
// wins.
func (k *known) keep(id string, c openai.Capabilities) {
	if k.path == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	all := k.read()
	delete(all, id)
	for len(all) >= maxServers {
		delete(all, oldest(all))
	}
	all[id] = finding{k.now().UTC().Truncate(time.Second), c}
	if err := k.write(all); err != nil {
		k.tell(err)
	}
}

// oldest is the name of the finding that was made first.
func oldest(all map[string]finding) string {
	return slices.MinFunc(slices.Collect(maps.Keys(all)), func(a, b string) int {
		return cmp.Or(all[a].Found.Compare(all[b].Found), strings.Compare(a, b))
	})
}

func (k *known) write(all map[string]finding) error {
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding what is known of servers: %w", err)
	}
	return replace(k.path, append(data, '\n'))
}

func (k *known) tell(err error) {
	if k.log != nil {
		k.log.Info("what is known of model servers is not kept", slog.String("why", err.Error()))
	}
}
