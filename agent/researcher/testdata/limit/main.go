// The same by hand, as fast as it goes: each message is encoded once, and a request is the one before it and
// what came to it. It is given the model server's address, a folder and a number of steps.
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

type message struct {
	Role       string          `json:"role"`
	Content    string          `json:"content"`
	ToolCallID string          `json:"tool_call_id,omitempty"`
	ToolCalls  json.RawMessage `json:"tool_calls,omitempty"`
}

func main() {
	server, dir := os.Args[1], os.Args[2]
	steps, err := strconv.Atoi(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	var body bytes.Buffer
	body.WriteString(`{"model":"test","tools":[{"type":"function","function":{"name":"visit_url","parameters":{"type":"object"}}}],"messages":[{"role":"system","content":"You research."}`)
	for range steps {
		for _, m := range step(server, dir, body.Bytes()) {
			encoded, err := json.Marshal(m)
			if err != nil {
				log.Fatal(err)
			}
			body.WriteByte(',')
			body.Write(encoded)
		}
	}
}

func step(server, dir string, body []byte) []message {
	response, err := http.Post(server+"/v1/chat/completions", "application/json", io.MultiReader(bytes.NewReader(body), strings.NewReader("]}")))
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var reply struct{ Choices []struct{ Message message } }
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		log.Fatal(err)
	}
	said := reply.Choices[0].Message
	var calls []struct {
		ID       string
		Function struct{ Name, Arguments string }
	}
	if err := json.Unmarshal(said.ToolCalls, &calls); err != nil {
		log.Fatal(err)
	}
	all := []message{said}
	for _, c := range calls {
		all = append(all, message{Role: "tool", ToolCallID: c.ID, Content: tool(dir, c.Function.Name, c.Function.Arguments)})
	}
	return all
}

func tool(dir, name, arguments string) string {
	var in struct{ URL, Content, Text string }
	err := json.Unmarshal([]byte(arguments), &in)
	result := []byte("done")
	switch {
	case err != nil:
	case name == "visit_url":
		var response *http.Response
		if response, err = http.Get(in.URL); err == nil {
			result, err = io.ReadAll(response.Body)
			response.Body.Close()
		}
	case name == "file_operation":
		err = os.WriteFile(filepath.Join(dir, "chapter.md"), []byte(in.Content), 0o644)
	default:
		err = os.WriteFile(filepath.Join(dir, "dashboard.md"), []byte(in.Text), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
	return string(result)
}
