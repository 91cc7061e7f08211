// Package loadcmd lets a load generator of the user's own load a program: it executes the command, waits for its end,
// and reads from its output how many operations it carried out. So it is known what an operation costs the program, and
// nothing of latency, of right answers, or of whether the command kept up.
package loadcmd

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

// Slice is the length of slices where nothing else is said: load generators take whole seconds.
const Slice = time.Second

// Check reports the first fault of a command with its defaults, which is executed in dir: fail.BadInput, and
// fail.Environment where there is no such program.
func Check(c spec.LoadCommand, dir string) error {
	if err := check(c); err != nil {
		return err
	}
	_, err := find(c, dir)
	return err
}

// check reports the first fault of a command with its defaults, as fail.BadInput.
func check(c spec.LoadCommand) error {
	switch {
	case len(c.Words) == 0 || c.Words[0] == "":
		return fail.New(fail.BadInput,
			"the load command is empty").WithHint("write --load-cmd 'redis-benchmark -p {port} -n 20000'")
	case c.Ops != "" && c.Metric != "":
		return fail.New(fail.BadInput,
			"--set load-cmd.ops and --set load-cmd.metric both count the operations").WithHint("leave one of them out")
	case c.Ops == "" && c.Metric == "":
		return fail.New(fail.BadInput, "the load command %s: hone does not know how it counts operations",
			filepath.Base(c.Words[0])).
			WithHint("name the number in its output by a regular expression: --set load-cmd.ops='([0-9]+) requests', or a "+
				"counter of the program: --set load-cmd.metric=NAME; only %s need none", spec.KnownLoadCommands)
	case c.Limit < 0:
		return fail.New(fail.BadInput, "time limit of the load command is %v, want 0 or more", c.Limit)
	}
	if c.Metric != "" {
		return checkCounter(c.Metric)
	}
	_, err := compile(c.Ops)
	return err
}

// find looks the program of a command up in PATH, or with a / in it from dir. The error is fail.Environment.
func find(c spec.LoadCommand, dir string) (string, error) {
	word := c.Words[0]
	if strings.Contains(word, "/") && !filepath.IsAbs(word) {
		word = filepath.Join(dir, word)
	}
	path, err := exec.LookPath(word)
	if err != nil {
		return "", fail.New(fail.Environment, "there is no load command %q: %w", c.Words[0], err).
			WithHint("install it; it is looked for in PATH, or with a / in it from %s; for a shell write sh -c '...'",
				dir)
	}
	return path, nil
}

// compile reads the pattern of Ops; ^ and $ are those of a line.
func compile(pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile("(?m)" + pattern)
	if err != nil {
		return nil, fail.New(fail.BadInput, "--set load-cmd.ops=%q: %w", pattern,
			err).WithHint("its first group is the number: '([0-9]+) requests'")
	}
	if re.NumSubexp() < 1 {
		return nil, fail.New(fail.BadInput, "--set load-cmd.ops=%q has no group",
			pattern).WithHint("put the number in parentheses: '([0-9]+) requests'")
	}
	return re, nil
}
