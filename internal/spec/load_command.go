package spec

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/redact"
)

// LoadCommand is a load generator of the user's own and how its operations are counted.
type LoadCommand struct {
	// Line is the command in one word, as the user gives it.
	Line string `json:"-"`
	// Words are executed without a shell. The templates of a program's arguments stand for what they do there; {host},
	// {connections}, {duration} (5s) and {seconds} (5) are filled in, too.
	Words []string `json:"command"`
	// Ops is a regular expression whose first group is a number of operations: see loadcmd.Count. Empty: that of the
	// program, for those of KnownLoadCommands.
	Ops string `json:"ops,omitempty"`
	// Metric is a counter of the program that counts its operations instead of Ops: one of its /metrics page, with
	// labels as PromQL selects them (the sum of all series that match), or expvar: and a path in its /debug/vars.
	Metric string `json:"ops_metric,omitempty"`
	// Limit is how long one execution may take beyond its {duration}; 0 is DefaultLoadCommandLimit.
	Limit time.Duration `json:"limit_ns,omitempty"`
}

// Given says whether there is a command.
func (c LoadCommand) Given() bool { return len(c.Words) > 0 }

// Redacted is the command without what may be a secret.
func (c LoadCommand) Redacted() LoadCommand {
	c.Words = redact.Args(slices.Clone(c.Words))
	return c
}

// DefaultLoadCommandLimit is how long a command may take beyond its {duration}. One without that has so long in all.
const DefaultLoadCommandLimit = time.Minute

// The templates of its duration: {duration} is 5s where {seconds} is 5.
const (
	DurationTemplate = "{duration}"
	SecondsTemplate  = "{seconds}"
)

// knownOps has what well-known load generators say at their end, by the name of the program.
var knownOps = map[string]string{
	"ab":              `^Complete requests:\s+(\d+)`,
	"ghz":             `^\s*Count:\s+(\d+)`,
	"hey":             `^\s*\[\d+\]\s+(\d+) responses`,
	"redis-benchmark": `^\s*(\d+) requests completed in `,
	"wrk":             `^\s*(\d+) requests in `,
}

// KnownLoadCommands are the names of the load generators whose output needs no Ops.
const KnownLoadCommands = "ab, ghz, hey, redis-benchmark and wrk"

// WithDefaults completes Ops for a load generator of KnownLoadCommands.
func (c LoadCommand) WithDefaults() LoadCommand {
	if c.Ops == "" && c.Metric == "" && len(c.Words) > 0 {
		c.Ops = knownOps[filepath.Base(c.Words[0])]
	}
	if c.Limit == 0 {
		c.Limit = DefaultLoadCommandLimit
	}
	return c
}

// Counted says how operations are counted, for reports.
func (c LoadCommand) Counted() string {
	if c.Metric != "" {
		return "the program's counter " + c.Metric
	}
	return c.Ops
}

// Timed says that the command is told how long to go on. Another one decides by itself.
func (c LoadCommand) Timed() bool {
	text := strings.Join(c.Words, " ")
	return strings.Contains(text, DurationTemplate) || strings.Contains(text, SecondsTemplate)
}
