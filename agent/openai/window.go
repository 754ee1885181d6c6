package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/daybook-agent/daybook/agent"
)

const (
	// defaultWindow is the assumed window, in tokens, until a real one is known: that of most hosted models,
	// or less. An agent clears its memory by it; it holds no request back.
	defaultWindow = 128_000
	// leastWindow is below every window that is served: Ollama reads 1,026 tokens at its smallest.
	leastWindow = 1000
	mostWindow  = 100_000_000
	// readPart is the least part of what was sent that a server reads; beyond its window that is about half.
	readPart = 0.7
	// lettersRead is the least that a server without a tokenizer counts for a letter: four are one token.
	lettersRead = 0.9 / 4
	// mostHidden is how many tokens a server may put before a conversation. A count above the conversation's
	// bytes and that says nothing about the window.
	mostHidden = 32_000
)

// reserve returns how much of a window is left to the reply, in tokens.
func reserve(window int) int { return min(window/8, 8192) }

// window returns how many tokens the model reads, and whether anybody said so. The smaller of the user's
// setting and what the server showed counts.
func (b *Brain) window() (tokens int, known bool) {
	learned := b.can().Window
	if tokens = max(b.Window, learned); b.Window > 0 && learned > 0 {
		tokens = min(b.Window, learned)
	}
	return cmp.Or(tokens, defaultWindow), tokens > 0
}

// learnWindow records a window, unless it cannot be one.
func (b *Brain) learnWindow(window int) {
	if window >= leastWindow && window <= mostWindow {
		b.discover(func(c *findings) { c.Window = window })
	}
}

// calibrate records how far off the estimate was: servers also count what is around the words.
func (b *Brain) calibrate(told int, said *encoding) {
	said.counted = true
	b.discover(func(c *findings) {
		c.ratio = min(3, float64(told)/float64(max(1, said.tokens)))
		c.whole = c.whole || said.shared() > 0.5
	})
}

// size returns how many tokens a conversation has; the tokenizer counts a large one if no server did.
func (b *Brain) size(talk *agent.Conversation, said *encoding) int {
	if ratio := b.can().ratio; ratio > 0 {
		return int(ratio * float64(said.tokens))
	}
	if window, _ := b.window(); said.tokens < window/2 {
		return said.tokens
	}
	return countTokens(talk, true)
}

// fits returns an error for a conversation that the model cannot take whole.
func (b *Brain) fits(ctx context.Context, talk *agent.Conversation, said *encoding) error {
	size := b.size(talk, said)
	window, known := b.window()
	if !known && size > worthAsking {
		b.asked.Do(func() { b.askForWindow(ctx) })
		window, known = b.window()
	}
	most := window - reserve(window)
	// before the server has counted it, how it counts others says little
	if !known || size <= most || !said.counted && countTokens(talk, true) <= most {
		return nil
	}
	return &Error{Class: Compress, Err: agent.ErrTooLong, Window: window,
		Message: fmt.Sprintf("the conversation has about %d tokens, and %s takes %d, of which %d are "+
			"kept for its reply%s", size, b.Model, window, reserve(window), b.larger())}
}

// measured records in a reply how full the window is, and refuses a reply to only part of the conversation.
func (b *Brain) measured(talk *agent.Conversation, said *encoding, reply agent.Reply) (agent.Reply, error) {
	size, told := b.size(talk, said), reply.Room.Used
	switch {
	case told == 0, told > len(said.whole)+mostHidden:
		reply.Room.Used = size
	case float64(told) < readPart*float64(size):
		if err := b.doubt(talk, said, reply, size); err != nil {
			return agent.Reply{Usage: reply.Usage}, err
		}
		reply.Room.Used = size
	default:
		b.calibrate(told, said)
	}
	window, _ := b.window()
	reply.Room.Window = window - reserve(window)
	reply.Usage.Prefix = int(float64(reply.Usage.In) * said.shared())
	return reply, nil
}

// doubt returns an error if a server that read much less than was sent has surely cut the conversation off.
func (b *Brain) doubt(talk *agent.Conversation, said *encoding, reply agent.Reply, size int) error {
	told, fresh, letters := reply.Room.Used, (1-said.shared())*float64(size), 0
	for _, m := range talk.Messages {
		letters += utf8.RuneCountInString(m.Text)
	}
	switch {
	case told < leastWindow: // it counts something else
		return nil
	// it counts letters, all of them
	case !isHalf(told) && float64(told) >= lettersRead*float64(letters):
		b.calibrate(told, said)
		return nil
	case float64(told+reply.Usage.Cached) >= readPart*float64(size): // it counts what its cache did not have
		return nil
	// the same, without saying so
	case said.shared() > 0 && !b.can().whole && float64(told) > readPart*fresh &&
		float64(told) < fresh/readPart:
		return nil
	}
	// Descriptions of actions count only if the server was seen to count them, or cuts as Ollama does.
	read := countTokens(talk, b.can().ratio > 0.85 || isHalf(told))
	if float64(told) >= readPart*float64(read) {
		b.calibrate(told, said)
		return nil
	}
	window := 1 << bits.Len(uint(told-1)) // windows are mostly powers of two; Ollama fills half of its own
	if isHalf(told) {
		window = 1 << bits.Len(uint(told))
	}
	if before, known := b.window(); known && window >= before {
		window = told
	}
	b.learnWindow(window)
	return &Error{Class: Compress, Err: agent.ErrTooLong, Window: window,
		Message: fmt.Sprintf("%s at %s read only %d of about %d tokens and did not say so, so its reply "+
			"was not used; its window seems to be %d%s", b.Model, b.server(), told, read, window, b.larger())}
}

// larger returns a hint on how to get a larger window.
func (b *Brain) larger() string {
	if window, _ := b.window(); b.Window > 0 && window == b.Window {
		return ": it was set so"
	}
	if p, known := ProviderAt(b.baseURL()); known && !p.Local {
		return ". For a larger one choose another model"
	}
	return ". For a larger one start the server with more, such as OLLAMA_CONTEXT_LENGTH=32768 " +
		"(or num_ctx) for Ollama, -c 32768 for llama.cpp, --max-model-len 32768 for vLLM, and " +
		"set DAYBOOK_WINDOW to it"
}

// isHalf reports whether a number is slightly above a power of two, like what Ollama reads when it cuts.
func isHalf(read int) bool {
	more := read - 1<<(bits.Len(uint(read))-1)
	return more > 0 && more <= 8
}

// hearWindow learns the window from an error that a conversation was too long: less than was sent.
func (b *Brain) hearWindow(err error, said *encoding) {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Class != Compress {
		return
	}
	e.Window = cmp.Or(e.Window, windowIn(e.Message))
	if e.Window == 0 {
		ratio := cmp.Or(b.can().ratio, 1)
		e.Window = int(0.9 * ratio * float64(said.tokens))
		if before, known := b.window(); known && before <= e.Window {
			e.Window = int(0.9 * float64(before)) // it is less than was thought
		}
	}
	b.learnWindow(e.Window)
	e.Message += b.larger()
}

// tooLong lists servers' phrases, in lower case, for a conversation that does not fit the model.
var tooLong = []string{"context_length_exceeded", "context length", "context window", "context size",
	"context limit", "prompt is too long", "prompt too long", "input is too long", "maximum model length",
	"model token limit", "input token count", "input token length", "length of the messages",
	"reduce the length", "range of input length", "max_new_tokens", "prompt 超长"}

// windowIn finds in a server's words how many tokens its model takes; 0 if they do not say.
func windowIn(text string) int {
	m := windowWords.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	if err != nil || n < leastWindow || n > mostWindow {
		return 0
	}
	return n
}

// windowWords finds how servers say it: OpenAI, vLLM, DeepSeek and OpenRouter "maximum context length is N",
// Anthropic "> N maximum", llama.cpp "context size (N tokens)" or "n_ctx":N, Gemini "tokens allowed (N)",
// Mistral "model with N maximum", LM Studio "context length of only N", Moonshot "token limit: N", Qwen
// "should be [1, N]", TGI "must be <= N".
var windowWords = regexp.MustCompile(
	`(?i)(?:context (?:length|size|window|limit)(?: is| of(?: only)?|:)? \(?|model length(?: of| ` +
		`is) |"n_ctx":\s*|tokens allowed \(|token limit:? |model with |should be \[1, |<= |> )(\d[\d,]{2,})`)

// countTokens counts by OpenAI's o200k encoding, near enough to any model's. It takes longer than all else in
// a step, so only callers that must be sure use it.
func countTokens(talk *agent.Conversation, withActions bool) int {
	var all []string
	for _, m := range talk.Messages {
		all = append(all, m.Text)
		for _, c := range m.Calls {
			all = append(all, c.Name, c.Args)
		}
	}
	if withActions {
		for _, a := range talk.Actions {
			all = append(all, a.Name, a.Doc, string(a.Schema))
		}
	}
	const whoSpeaks = 4
	text := strings.Join(all, "\n")
	n, err := codec.NewO200kBase().Count(text)
	if err != nil { // a text that it has no tokens for
		n = agent.EstimateTokens(text)
	}
	return n + whoSpeaks*len(talk.Messages)
}
