// Package honecli runs hone's binary for benchmarks and reads what it prints.
package honecli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/proc"
)

// Exit codes of hone that come with a document (hone help exit-codes).
const (
	Regression = 1 // a gate failed
	Invalid    = 4
	Undecided  = 8
)

// Hone is hone's binary.
type Hone struct {
	Program string
	Dir     string // where it runs; empty: where this process does
	Ledger  string // of what is measured; empty: hone's own choice
}

// Find is the binary at a path.
func Find(program string) (Hone, error) {
	if _, err := os.Stat(program); err != nil {
		return Hone{}, fmt.Errorf("no hone at %s: go build -o %s ../cmd/hone", program, program)
	}
	path, err := filepath.Abs(program)
	return Hone{Program: path}, err
}

// Version is what hone says of itself.
func (h Hone) Version(ctx context.Context) (string, error) {
	d, err := h.Run(ctx, nil, "version")
	return strings.TrimSpace(string(d.Stdout)), err
}

// Run runs hone. The error has hone's own words if it ends with a code other than 0 and
// those in fine.
func (h Hone) Run(ctx context.Context, fine []int, args ...string) (proc.Done, error) {
	d, err := proc.Run(ctx, -1, proc.Command{Program: h.Program, Args: args, Dir: h.Dir, Interrupt: true})
	if ctx.Err() != nil {
		return d, context.Cause(ctx)
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && slices.Contains(fine, d.Code):
		err = nil
	case errors.As(err, &exit):
		err = fmt.Errorf("run hone %s: %w\n%s", strings.Join(args, " "), exit, strings.TrimSpace(string(d.Stderr)))
	}
	return d, err
}

// Ask runs a command of hone, of one word or several, and reads the JSON that it prints into
// into.
func (h Hone) Ask(ctx context.Context, into any, fine []int, command string, args ...string) (proc.Done, error) {
	words := append(strings.Fields(command), "--json")
	if h.Ledger != "" {
		words = append(words, "--ledger", h.Ledger)
	}
	d, err := h.Run(ctx, fine, append(words, args...)...)
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(d.Stdout, into); err != nil {
		return d, fmt.Errorf("read what hone %s prints: %w in %.200q", command, err, d.Stdout)
	}
	return d, nil
}

// Measure loads the HTTP service in a package for some time and returns the run's name.
// flags are hone run's, args the service's.
func (h Hone) Measure(ctx context.Context, service string, flags, args []string) (id string, err error) {
	all := append([]string{service, "-c", "20", "--target", "http://127.0.0.1:{port}/"}, flags...)
	all = append(append(all, "--", "-addr", "127.0.0.1:{port}"), args...)
	var run struct{ ID string }
	_, err = h.Ask(ctx, &run, nil, "run --quiet", all...)
	return run.ID, err
}
