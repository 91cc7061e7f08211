package main

import (
	"reflect"

	"github.com/gohone/hone/internal/program/loadcmd"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/wire"
)

// loadCommand is a load generator of the user's own; nil without one.
func loadCommand(f spec.LoadCommand, speaks wire.Options) (*loadcmd.Command, error) {
	if f.Line == "" {
		if f.Ops != "" || f.Metric != "" {
			return nil, fail.New(fail.BadInput, "load-cmd.ops and load-cmd.metric say how a load command counts, and there is none").
				WithHint("name one: --load-cmd 'redis-benchmark -p {port} -n 20000'")
		}
		return nil, nil
	}
	words, err := shellwords.Split(f.Line)
	if err != nil {
		return nil, fail.New(fail.BadInput, "--load-cmd: %w", err)
	}
	if f.Limit <= 0 {
		return nil, fail.New(fail.BadInput, "load-cmd.timeout is %v, want more than 0", f.Limit)
	}
	if !reflect.ValueOf(speaks).IsZero() {
		return nil, fail.New(fail.BadInput, "with --load-cmd hone sends no requests, so that flags on requests and answers mean nothing").
			WithHint("leave them out, and give them to the command in its own way")
	}
	return &loadcmd.Command{Words: words, Ops: f.Ops, Metric: f.Metric, Limit: f.Limit}, nil
}
