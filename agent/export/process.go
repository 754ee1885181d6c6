package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/daybook-agent/daybook/agent/program"
	"github.com/daybook-agent/daybook/agent/prose"
)

// run runs a foreign program with a deadline and gives what it wrote on stdout. The program and its children
// are gone when run returns, and of our environment it sees no key.
func run(ctx context.Context, most time.Duration, stdin []byte, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("it took longer than %s", most))
	defer cancel()
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = program.Innocent(os.Environ())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &complaints
	cmd.WaitDelay = 5 * time.Second
	end, err := program.Start(cmd)
	if err == nil {
		err = cmd.Wait()
		err = errors.Join(err, end())
	}
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, fmt.Errorf("%w; it says: %s", err, lastWords(complaints.String()))
	}
	if out.Len() == 0 {
		return complaints.Bytes(), nil
	}
	return out.Bytes(), nil
}

// lastWords is the end of what a program complained of, in one line.
func lastWords(complaints string) string {
	const most = 300
	said := []rune(prose.OneLine(complaints))
	if len(said) == 0 {
		return "nothing"
	}
	return string(said[max(0, len(said)-most):])
}
