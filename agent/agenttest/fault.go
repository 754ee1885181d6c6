package agenttest

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"sync"
)

// Fault turns the right answer into the one sent instead.
type Fault func(right Answer) Answer

// Faulty answers like answer, but plan decides how the nth answer, from 0, is spoilt; nil leaves it alone. A
// right answer is kept until it has been given: a client that repeats the request gets it, so that a fault
// loses nothing of a script.
func Faulty(answer func(Request) Answer, plan func(n int, r Request) Fault) func(Request) Answer {
	var mu sync.Mutex
	owed := map[[sha256.Size]byte]Answer{}
	n := 0
	return func(r Request) Answer {
		// not how it is asked: a client may retry without a stream
		key := sha256.Sum256(fmt.Append(nil, r.Tools, r.Messages))
		mu.Lock()
		right, again := owed[key]
		fault := plan(n, r)
		n++
		mu.Unlock()
		if !again {
			right = answer(r)
		}
		mu.Lock()
		defer mu.Unlock()
		if fault == nil {
			delete(owed, key)
			return right
		}
		owed[key] = right
		return fault(right)
	}
}

// Transient returns every kind of fault that passes when the request is repeated, by name. A cut reply was
// half sent.
func Transient() map[string]Fault {
	instead := func(a Answer) Fault { return func(Answer) Answer { return a } }
	return map[string]Fault{
		"429": instead(Answer{Status: http.StatusTooManyRequests,
			Body: errorBody("slow down", "rate_limit_exceeded")}),
		"500": instead(Answer{Status: http.StatusInternalServerError,
			Body: `{"error":"boom"}`}),
		"502 as a page": instead(Answer{Status: http.StatusBadGateway,
			Body: "<html><h1>Bad gateway</h1></html>"}),
		"503 without a body": instead(Answer{Status: http.StatusServiceUnavailable}),
		"an error in a 200": instead(
			Answer{Body: `{"error":{"message":"Provider returned error","code":502}}`}),
		"an error in a stream": instead(
			Answer{Body: `data: {"choices":[{"index":0,"delta":{"content":"half"}}]}` + "\n\n" +
				`data: {"error":{"message":"overloaded"}}` + "\n\n"}),
		"an empty body": instead(Answer{Body: " \n"}),
		"no choice":     instead(Answer{Body: `{"choices":[]}`}),
		"no JSON":       instead(Answer{Body: "upstream sent nothing"}),
		"half a JSON":   instead(Answer{Body: `{"choices":[{"message":{"content":"ha`}),
		"a stream without an end": instead(
			Answer{
				Body: `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"write_file","arguments":"{\"pa"}}]}}]}` + "\n\n"}),
		"cut":   func(right Answer) Answer { right.Half = true; return right },
		"reset": func(right Answer) Answer { right.Half, right.Reset = true, true; return right },
	}
}
