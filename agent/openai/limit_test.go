package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

// meeting holds requests until so many are under way, and counts how many were at most.
type meeting struct {
	mu    sync.Mutex
	moved sync.Cond
	size  int
	here  int
	round int
	most  int
}

func newMeeting(size int) *meeting {
	m := &meeting{size: size}
	m.moved.L = &m.mu
	return m
}

func (m *meeting) join() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.here++
	m.most = max(m.most, m.here)
	if m.here == m.size {
		m.here = 0
		m.round++
		m.moved.Broadcast()
		return
	}
	for round := m.round; round == m.round; {
		m.moved.Wait()
	}
}

// sharing are brains of one server that share a limit.
func sharing(t *testing.T, limit *openai.Limit, url string, n int, noStream bool) (all []*openai.Brain) {
	t.Helper()
	for range n {
		b := brain(t, url, noStream)
		b.Limit, b.MaxWait = limit, 10*time.Second
		all = append(all, b)
	}
	return all
}

func thinkAll(t *testing.T, all []*openai.Brain, talk func() *agent.Conversation) {
	t.Helper()
	var done sync.WaitGroup
	for _, b := range all {
		done.Go(func() {
			_, err := b.Think(t.Context(), talk())
			assert.NoError(t, err)
		})
	}
	done.Wait()
}

func TestMaxParallel(t *testing.T) {
	for mode, noStream := range modes {
		t.Run(mode, func(t *testing.T) {
			// the last is the control: without a bound all eight meet
			for bound, meets := range map[int]int{1: 1, 2: 2, 8: 8, 0: 8} {
				m := newMeeting(meets)
				server := serve(t, func(agenttest.Request) agenttest.Answer {
					m.join()
					return agenttest.Answer{Reply: agenttest.Words("yes")}
				})
				thinkAll(t, sharing(t, &openai.Limit{Parallel: bound}, server.URL, 8, noStream),
					func() *agent.Conversation { return ask("Why?") })
				assert.Equal(t, meets, m.most, "max-parallel %d", bound)
			}
		})
	}
}

func TestRequestsAMinute(t *testing.T) {
	server := serve(t, func(agenttest.Request) agenttest.Answer {
		return agenttest.Answer{Reply: agenttest.Words("yes")}
	})
	began := time.Now()
	thinkAll(t, sharing(t, &openai.Limit{Requests: 1200}, server.URL, 6, false),
		func() *agent.Conversation { return ask("Why?") })
	assert.GreaterOrEqual(t, time.Since(began), 5*50*time.Millisecond)
}

// A long wait is told with its reason, and ends with the context.
func TestWaitsAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		limit *openai.Limit
		first agenttest.Answer
		says  string
		least time.Duration
	}{
		"requests": {&openai.Limit{Requests: 1}, agenttest.Answer{Reply: agenttest.Words("yes")},
			"requests-per-minute is 1 at http", 50 * time.Second},
		"tokens": {&openai.Limit{Tokens: 600},
			agenttest.Answer{Reply: agent.Reply{Text: "yes", Usage: agent.Usage{In: 5000, Out: 10}}},
			"tokens-per-minute is 600 at http", time.Second},
		"places": {&openai.Limit{Parallel: 1}, agenttest.Answer{Stall: true},
			"max-parallel is 1, and as many requests are under way at http", 0},
	} {
		t.Run(name, func(t *testing.T) {
			asked := make(chan bool, 2)
			server := serve(t, func(agenttest.Request) agenttest.Answer {
				asked <- true
				return c.first
			})
			both := sharing(t, c.limit, server.URL, 2, false)
			ctx, cancel := context.WithCancelCause(t.Context())
			first := make(chan error, 1)
			go func() {
				_, err := both[0].Think(ctx, ask("Why?"))
				first <- err
			}()
			<-asked
			if !c.first.Stall {
				require.NoError(t, <-first)
			}
			talk := ask("Why?")
			enough := fmt.Errorf("enough")
			var heard agent.Waiting
			talk.Tell = func(e agent.Event) {
				heard = e.(agent.Waiting)
				cancel(enough)
			}
			_, err := both[1].Think(ctx, talk)
			assert.ErrorIs(t, err, enough)
			assert.Contains(t, heard.Why, c.says)
			assert.GreaterOrEqual(t, heard.For, c.least)
			if c.first.Stall {
				assert.ErrorIs(t, <-first, enough)
			}
			assert.Empty(t, asked, "the second was asked all the same")
			cancel(nil)
		})
	}
}

// A place that was waited for in vain is free again.
func TestAPlaceIsLeft(t *testing.T) {
	server := serve(t, agenttest.Answers(agenttest.Answer{Status: 400, Body: `{"error":{"message":"no"}}`},
		agenttest.Answer{Reply: agenttest.Words("yes")}))
	b := sharing(t, &openai.Limit{Parallel: 1}, server.URL, 1, false)[0]
	_, err := b.Think(t.Context(), ask("Why?"))
	require.Error(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = b.Think(ctx, ask("Why?"))
	require.Error(t, err)
	_, err = b.Think(t.Context(), ask("Why?"))
	require.NoError(t, err)
}

// A server that says when to come back is left alone by all, those that were refused and those that come in
// the meantime; and a person hears of it once.
func TestAPauseHoldsUpAll(t *testing.T) {
	const n = 4
	for mode, noStream := range modes {
		t.Run(mode, func(t *testing.T) {
			m := newMeeting(n)
			var mu sync.Mutex
			var refused time.Time
			var came []time.Duration
			answered := 0
			server := serve(t, func(agenttest.Request) agenttest.Answer {
				mu.Lock()
				answered++
				late := answered > n
				mu.Unlock()
				if !late {
					m.join()
				}
				mu.Lock()
				defer mu.Unlock()
				if !late {
					if refused.IsZero() {
						refused = time.Now()
					}
					return agenttest.Answer{Status: 429, Header: http.Header{"Retry-After": {"1"}},
						Body: `{"error":{"message":"slow down"}}`}
				}
				came = append(came, time.Since(refused))
				return agenttest.Answer{Reply: agenttest.Words("yes")}
			})
			all := sharing(t, new(openai.Limit), server.URL, n+1, noStream)
			told := make(chan agent.Waiting, 100)
			talk := func() *agent.Conversation {
				c := ask("Why?")
				c.Tell = func(e agent.Event) { told <- e.(agent.Waiting) }
				return c
			}
			var done sync.WaitGroup
			done.Go(func() { thinkAll(t, all[:n], talk) })
			first := <-told
			assert.Contains(t, first.Why, "slow down")
			_, err := all[n].Think(t.Context(), ask("Why?")) // comes while the others wait
			assert.NoError(t, err)
			done.Wait()
			close(told)
			for w := range told {
				assert.NotContains(t, w.Why, "slow down", "it was announced before")
			}
			require.Len(t, came, n+1)
			for _, after := range came {
				assert.GreaterOrEqual(t, after, time.Second-5*time.Millisecond)
			}
		})
	}
}

// Who thinks with a Brain whose server refused another with 429 waits with them, and asks nothing meanwhile.
// The control has a Brain each, with a limit of its own: each runs into it.
func TestFiveAgentsMeetARateLimitTogether(t *testing.T) {
	for name, c := range map[string]struct{ brains, asked int }{"one brain": {1, 0},
		"control: a brain each": {5, 4}} {
		t.Run(name, func(t *testing.T) {
			asked := make(chan bool, 10)
			server := serve(t, func(r agenttest.Request) agenttest.Answer {
				if r.Messages[1].Content == "first" {
					return agenttest.Answer{Status: 429, Header: http.Header{"Retry-After": {"60"}},
						Body: `{"error":{"message":"slow down"}}`}
				}
				asked <- true
				return agenttest.Answer{Reply: agenttest.Words("yes")}
			})
			var all []*openai.Brain
			for range c.brains {
				all = append(all, brain(t, server.URL, true))
				all[len(all)-1].MaxWait = time.Hour
			}
			ctx, cancel := context.WithCancel(t.Context())
			waits := make(chan time.Duration, 10)
			var done sync.WaitGroup
			think := func(n int, what string) {
				done.Go(func() {
					talk := ask(what)
					talk.Tell = func(e agent.Event) { waits <- e.(agent.Waiting).For }
					_, err := all[n%c.brains].Think(ctx, talk)
					if n == 0 || c.asked == 0 {
						assert.ErrorIs(t, err, context.Canceled)
					}
				})
			}
			think(0, "first")
			assert.GreaterOrEqual(t, <-waits, time.Minute)
			for n := 1; n < 5; n++ {
				think(n, "another")
			}
			for range 4 {
				if c.asked > 0 {
					<-asked
				} else {
					assert.Greater(t, <-waits, 30*time.Second)
				}
			}
			assert.Empty(t, asked, "nobody asks while the server is to be left alone")
			cancel()
			done.Wait()
		})
	}
}

// A server that does not say how long it is busy is left alone by all for as long as who was refused waits.
func TestARateLimitWithoutATimeHoldsUpAll(t *testing.T) {
	refused := make(chan time.Time, 1)
	came := make(chan time.Time, 1)
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		if r.Messages[1].Content == "first" && len(refused) == 0 {
			refused <- time.Now()
			return agenttest.Answer{Status: 429, Body: `{"error":{"message":"slow down"}}`}
		}
		if r.Messages[1].Content == "second" {
			came <- time.Now()
		}
		return agenttest.Answer{Reply: agenttest.Words("yes")}
	})
	b := brain(t, server.URL, true)
	b.MaxWait = time.Minute
	first, told := ask("first"), make(chan bool, 1)
	first.Tell = func(agent.Event) { told <- true }
	var done sync.WaitGroup
	done.Go(func() {
		_, err := b.Think(t.Context(), first)
		assert.NoError(t, err)
	})
	<-told
	_, err := b.Think(t.Context(), ask("second"))
	assert.NoError(t, err)
	done.Wait()
	assert.GreaterOrEqual(t, (<-came).Sub(<-refused), 500*time.Millisecond)
}
