package actions_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/daybook-agent/daybook/actions"
)

// A program gives the researcher an action of its own.
func ExampleTool() {
	tide := actions.Tool{
		Name: "tide", From: "the harbour", Doc: "Tells when the water is high.",
		Schema:   json.RawMessage(`{"type": "object"}`),
		ReadOnly: true,
		Call: func(context.Context, string) (actions.Brought, error) {
			return actions.Brought{Type: "text/plain", Body: []byte("at noon")}, nil
		},
	}
	for _, a := range (actions.Kit{Tools: []actions.Tool{tide}}).Actions() {
		fmt.Println(a.Name)
	}
	// Output:
	// file_operation
	// web_search
	// visit_url
	// update_overall_dashboard
	// update_current_dashboard
	// all_finished
	// tide
}
