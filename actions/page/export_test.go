package page

import "code.dny.dev/ssrf"

// FetcherBehind is a Fetcher with a guard of the test's choice, so that a local server can play a public one.
func FetcherBehind(guard *ssrf.Guardian) *Fetcher {
	return &Fetcher{client: newClient(guard)}
}
