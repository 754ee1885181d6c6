package agenttest

// Truncating turns a script into a server that reads at most so many tokens, at four bytes each, and hides
// that there were more. Like Ollama, it then fills half of its window, and a few tokens more, with the
// beginning and end of the conversation, and reports the tokens of that. The script sees what such a model
// would.
func Truncating(window int, answer func(Request) Answer) func(Request) Answer {
	return func(r Request) Answer {
		if len(r.Raw)/bytesPerToken <= window {
			return answer(r)
		}
		kept, room := r.Messages[:1], window/2*bytesPerToken
		from := len(r.Messages)
		for from > 1 && room > 0 {
			from--
			room -= len(r.Messages[from].Content)
		}
		r.Messages = append(kept[:1:1], r.Messages[from:]...)
		a := answer(r)
		a.Reply.Usage.In, a.Reply.Usage.Out = window/2+3, max(1, a.Reply.Usage.Out)
		return a
	}
}
