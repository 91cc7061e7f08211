package read

import (
	"reflect"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// loadCommand reads a load generator of the user's own. The options of the protocol have to be complete.
func loadCommand(l *spec.Load) (err error) {
	c := &l.LoadCommand
	if c.Line == "" {
		if c.Ops != "" || c.Metric != "" {
			return fail.New(fail.BadInput,
				"load-cmd.ops and load-cmd.metric say how a load command counts, and there is none").
				WithHint("name one: --load-cmd 'redis-benchmark -p {port} -n 20000'")
		}
		*c = spec.LoadCommand{}
		return nil
	}
	if c.Words, err = shellwords.Split(c.Line); err != nil {
		return fail.New(fail.BadInput, "--load-cmd: %w", err)
	}
	if c.Limit <= 0 {
		return fail.New(fail.BadInput, "load-cmd.timeout is %v, want more than 0", c.Limit)
	}
	if !reflect.ValueOf(l.Protocol).IsZero() {
		return fail.New(fail.BadInput,
			"with --load-cmd hone sends no requests, so that flags on requests and answers mean nothing").
			WithHint("leave them out, and give them to the command in its own way")
	}
	return nil
}
