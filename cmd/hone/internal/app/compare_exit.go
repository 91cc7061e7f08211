package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// ExitOf is how a comparison ends its command; nil is a pass.
//
// With gates it is fail.Regression if any failed, else fail.Undecided if any is open.
// Without gates faster, slower, the same and no change over a bound are results, and all of them a pass; only
// undecided is not, and faster at less work. What was not measured to its end is not a pass either.
func ExitOf(c *record.Comparison) error {
	if why := c.Refusal(); why != "" {
		return fail.New(fail.Invalid, "nothing was compared: %s", why).
			WithHint("hone show %s prints what was kept", c.ID)
	}
	if len(c.Gates) == 0 {
		return exitOfContests(c)
	}
	failed := gatesThat(c, func(o gate.Outcome) bool { return o == gate.Failed })
	open := gatesThat(c, func(o gate.Outcome) bool { return o != gate.Failed && o != gate.Passed })
	switch {
	case c.Planted != nil:
		return ExitOfProof(*c.Planted, len(failed) > 0)
	case len(failed) > 0:
		return fail.New(fail.Regression, "regression: %s", strings.Join(failed, "; ")).
			WithHint("hone show %s shows it again, with what changed most", c.ID)
	case len(open) > 0:
		return undecided(c, open)
	}
	return nil
}

// WithExits lets a command end with the exit codes of git bisect run, if it is asked for.
func WithExits(s *spec.Spec, run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		if s.GitBisect {
			return fail.ForGitBisect(err)
		}
		return err
	}
}

func exitOfContests(c *record.Comparison) error {
	var open []string
	for _, contest := range c.Contests {
		switch less := contest.OtherWork(); {
		case contest.Word == judge.Faster && less != "":
			open = append(open, fmt.Sprintf("whether %c is faster than %c at the same work (%s)", 'A'+contest.B,
				'A'+contest.A, less))
		case contest.Word.Different(), contest.Word.Alike():
		default:
			open = append(open, fmt.Sprintf("whether %c differs from %c", 'A'+contest.B, 'A'+contest.A))
		}
	}
	if len(open) == 0 {
		return nil
	}
	return undecided(c, open)
}

func undecided(c *record.Comparison, what []string) error {
	return fail.New(fail.Undecided, "undecided, which is not a pass: %s", strings.Join(what, "; ")).
		WithHint("%s", cmp.Or(model.Hint(c), "measure again, with a longer --budget"))
}

// gatesThat names the gates with such an outcome, each with what it was held against.
func gatesThat(c *record.Comparison, such func(gate.Outcome) bool) []string {
	var names []string
	for _, g := range c.Gates {
		if !such(g.Outcome) {
			continue
		}
		name := g.Gate.Text
		if len(c.Contests) > 1 {
			name += " on " + g.Variant
		}
		if name = fmt.Sprintf("%s (%s)", name, g.Reason); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
