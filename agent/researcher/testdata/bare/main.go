// What one writes in an hour: go-openai, a slice of messages that only grows, and a switch over the tools. It
// is given the model server's address, a folder, a number of steps, and of loops side by side.
package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/sashabaranov/go-openai"
)

func main() {
	dir := os.Args[2]
	steps, err := strconv.Atoi(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	config := openai.DefaultConfig("")
	config.BaseURL = os.Args[1] + "/v1"
	client := openai.NewClientWithConfig(config)
	if len(os.Args) < 5 {
		loop(client, dir, "How do tides work?", steps)
		return
	}
	runs, err := strconv.Atoi(os.Args[4])
	if err != nil {
		log.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range runs {
		all.Go(func() { loop(client, dir, "How do tides work? (run "+strconv.Itoa(i)+")", steps) })
	}
	all.Wait()
}

func loop(client *openai.Client, dir, question string, steps int) {
	messages := []openai.ChatCompletionMessage{{Role: "system", Content: "You research a question with your tools."}, {Role: "user", Content: question}}
	var tools []openai.Tool
	for _, name := range []string{"visit_url", "file_operation", "update_current_dashboard"} {
		tools = append(tools, openai.Tool{Type: "function", Function: &openai.FunctionDefinition{Name: name, Parameters: json.RawMessage(`{"type":"object"}`)}})
	}
	for range steps {
		response, err := client.CreateChatCompletion(context.Background(), openai.ChatCompletionRequest{Model: "test", Messages: messages, Tools: tools})
		if err != nil {
			log.Fatal(err)
		}
		message := response.Choices[0].Message
		messages = append(messages, message)
		for _, call := range message.ToolCalls {
			messages = append(messages, openai.ChatCompletionMessage{Role: "tool", ToolCallID: call.ID, Content: tool(dir, call.Function.Name, call.Function.Arguments)})
		}
	}
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
