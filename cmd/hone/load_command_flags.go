package main

import (
	"reflect"
	"time"

	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/loadcmd"
	"github.com/gohone/hone/internal/subject"
	"github.com/gohone/hone/internal/wire"
)

// loadCommandFlags are the flags of a load generator of the user's own.
type loadCommandFlags struct {
	command string
	ops     string
	metric  string
	limit   time.Duration
}

func (f *loadCommandFlags) add(fl *pflag.FlagSet) {
	fl.StringVar(&f.command, "load-cmd", "", "`COMMAND` that loads the program in place of hone, such as 'wrk -d {duration} http://{host}:{port}/' (no shell);\nexecuted once for each slice; {host}, {port}, {socket}, {connections}, {duration} (1s) and {seconds} (1) are filled in")
	fl.StringVar(&f.ops, "load-ops", "", "`REGEX` whose first group is the number of operations in the output of --load-cmd; several matches add up\n(default: that of "+loadcmd.Known+")")
	fl.StringVar(&f.metric, "ops-metric", "", "`COUNTER` of the program that counts the operations of --load-cmd, in place of --load-ops: of its /metrics page,\nsuch as requests_total{code=\"200\"}, or expvar:PATH")
	fl.DurationVar(&f.limit, "load-timeout", loadcmd.DefaultLimit, "how long one --load-cmd may take beyond its {duration}")
}

// resolve reads the flags; nil without a command.
func (f *loadCommandFlags) resolve(speaks wire.Options) (*loadcmd.Command, error) {
	if f.command == "" {
		if f.ops != "" || f.metric != "" {
			return nil, fail.New(fail.BadInput, "--load-ops and --ops-metric say how a load command counts, and there is none").
				WithHint("name one: --load-cmd 'redis-benchmark -p {port} -n 20000'")
		}
		return nil, nil
	}
	words, err := subject.SplitCommand(f.command)
	if err != nil {
		return nil, fail.New(fail.BadInput, "--load-cmd: %w", err)
	}
	if f.limit <= 0 {
		return nil, fail.New(fail.BadInput, "--load-timeout is %v, want more than 0", f.limit)
	}
	if !reflect.ValueOf(speaks).IsZero() {
		return nil, fail.New(fail.BadInput, "with --load-cmd hone sends no requests, so that flags on requests and answers mean nothing").
			WithHint("leave them out, and give them to the command in its own way")
	}
	return &loadcmd.Command{Words: words, Ops: f.ops, Metric: f.metric, Limit: f.limit}, nil
}
