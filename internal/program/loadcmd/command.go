// Package loadcmd lets a load generator of the user's own load a program: it executes the command, waits for its end, and
// reads from its output how many operations it carried out. So it is known what an operation costs the program, and nothing
// of latency, of right answers, or of whether the command kept up.
package loadcmd

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// Command is a load generator and how its operations are counted.
type Command struct {
	// Words are executed without a shell. The templates of a program's arguments stand for what they do there; {host},
	// {connections}, {duration} (5s) and {seconds} (5) are filled in, too.
	Words []string `json:"command"`
	// Ops is a regular expression whose first group is a number of operations: see Count. Empty: that of the program, for
	// those of Known.
	Ops string `json:"ops,omitempty"`
	// Metric is a counter of the program that counts its operations instead of Ops: one of its /metrics page, with labels
	// as PromQL selects them (the sum of all series that match), or expvar: and a path in its /debug/vars.
	Metric string `json:"ops_metric,omitempty"`
	// Limit is how long one execution may take beyond its {duration}; 0 is DefaultLimit.
	Limit time.Duration `json:"limit_ns,omitempty"`
}

// DefaultLimit is how long a command may take beyond its {duration}. One without that has so long in all.
const DefaultLimit = time.Minute

// Slice is the length of slices where nothing else is said: load generators take whole seconds.
const Slice = time.Second

// known has what well-known load generators say at their end, by the name of the program.
var known = map[string]string{
	"ab":              `^Complete requests:\s+(\d+)`,
	"ghz":             `^\s*Count:\s+(\d+)`,
	"hey":             `^\s*\[\d+\]\s+(\d+) responses`,
	"redis-benchmark": `^\s*(\d+) requests completed in `,
	"wrk":             `^\s*(\d+) requests in `,
}

// Known are the names of the load generators whose output needs no Ops.
const Known = "ab, ghz, hey, redis-benchmark and wrk"

// WithDefaults completes Ops for a load generator of Known.
func (c Command) WithDefaults() Command {
	if c.Ops == "" && c.Metric == "" && len(c.Words) > 0 {
		c.Ops = known[filepath.Base(c.Words[0])]
	}
	if c.Limit == 0 {
		c.Limit = DefaultLimit
	}
	return c
}

// Check reports the first fault of a command with its defaults, as fail.BadInput.
func (c Command) Check() error {
	switch {
	case len(c.Words) == 0 || c.Words[0] == "":
		return fail.New(fail.BadInput, "the load command is empty").WithHint("write --load-cmd 'redis-benchmark -p {port} -n 20000'")
	case c.Ops != "" && c.Metric != "":
		return fail.New(fail.BadInput, "--set load-cmd.ops and --set load-cmd.metric both count the operations").WithHint("leave one of them out")
	case c.Ops == "" && c.Metric == "":
		return fail.New(fail.BadInput, "the load command %s: hone does not know how it counts operations", filepath.Base(c.Words[0])).
			WithHint("name the number in its output by a regular expression: --set load-cmd.ops='([0-9]+) requests', or a counter of the program: --set load-cmd.metric=NAME; only %s need none", Known)
	case c.Limit < 0:
		return fail.New(fail.BadInput, "time limit of the load command is %v, want 0 or more", c.Limit)
	}
	if c.Metric != "" {
		return checkCounter(c.Metric)
	}
	_, err := compile(c.Ops)
	return err
}

// Counted says how operations are counted, for reports.
func (c Command) Counted() string {
	if c.Metric != "" {
		return "the program's counter " + c.Metric
	}
	return c.Ops
}

// Timed says that the command is told how long to go on. Another one decides by itself.
func (c Command) Timed() bool {
	text := strings.Join(c.Words, " ")
	return strings.Contains(text, durationTemplate) || strings.Contains(text, secondsTemplate)
}

// Find looks the program up in PATH, or with a / in it from dir. The error is fail.Environment.
func (c Command) Find(dir string) (string, error) {
	word := c.Words[0]
	if strings.Contains(word, "/") && !filepath.IsAbs(word) {
		word = filepath.Join(dir, word)
	}
	path, err := exec.LookPath(word)
	if err != nil {
		return "", fail.New(fail.Environment, "there is no load command %q: %w", c.Words[0], err).
			WithHint("install it; it is looked for in PATH, or with a / in it from %s; for a shell write sh -c '...'", dir)
	}
	return path, nil
}

// compile reads the pattern of Ops; ^ and $ are those of a line.
func compile(pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile("(?m)" + pattern)
	if err != nil {
		return nil, fail.New(fail.BadInput, "--set load-cmd.ops=%q: %w", pattern, err).WithHint("its first group is the number: '([0-9]+) requests'")
	}
	if re.NumSubexp() < 1 {
		return nil, fail.New(fail.BadInput, "--set load-cmd.ops=%q has no group", pattern).WithHint("put the number in parentheses: '([0-9]+) requests'")
	}
	return re, nil
}
