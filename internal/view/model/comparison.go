package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/text/units"
)

// Comparison is what is shown of a comparison, on a terminal, in Markdown and on a page. Where nothing was compared,
// Verdicts has one sentence, which says so, and what could only come of a verdict is empty.
type Comparison struct {
	Compared bool
	Setup
	Outcome
	Trust
	Contests []Contest
	// Short is the same in few words, where anything was compared.
	Short    Short
	Commands []Command
	// Show is the command that shows all of it again.
	Show string

	brief bool // it is shown at the end of a comparison
}

// Setup is what was compared, and how.
type Setup struct {
	Variants []Variant
	// Under are the conditions, RanIn says in which directories the variants ran, and Assumed what hone chose by
	// itself.
	Under   []string
	RanIn   string
	Assumed []Statement
	// Method says where and how it was measured, and on what each verdict rests.
	Method []string
	// Sides are the facts of each variant of programs that end.
	Sides []string
}

// Outcome is what came of a comparison.
type Outcome struct {
	// Headline is the outcome in a few words: what failed comes first, then what is open, so that neither hides behind
	// a gain.
	Headline string
	// Indicative says that the variants were not taken together; empty if they were.
	Indicative []Statement
	// Verdicts are the sentences, one for each contest.
	Verdicts []Statement
	// Stopped says why and when it ended.
	Stopped string
	Gates   []GateLine
	// Open says what is left open, why that is not a pass, and what would change it.
	Open []Statement
}

// Trust says how far a comparison can be trusted.
type Trust struct {
	// Limits says what cannot be seen under these conditions.
	Limits []Statement
	// Answers says whether the variants gave the same answers.
	Answers []Statement
	// Check says whether the measurement can be trusted, Doubts what casts doubt on it, and Notes what else there is to
	// know of the runs.
	Check  Statement
	Doubts []Statement
	Notes  []Statement
}

// Short is what a comparison comes to, in few words: what each contest shows, whether that can be trusted, and what
// would settle what is open.
type Short struct {
	Verdicts, Reach, Open, Doubts []Statement
	Check                         Statement
}

// GateLine is what became of a gate. Its text is the whole in one line.
type GateLine struct {
	Statement
	Name    string `json:"name"`
	Variant string `json:"variant,omitempty"`
	Outcome string `json:"outcome"`
	Reason  string `json:"reason"`
}

// Name is a variant by its letter and label.
func (c *Comparison) Name(i int) string {
	if i >= len(c.Variants) || c.Variants[i].Label == "" {
		return Letter(i)
	}
	return Letter(i) + " " + c.Variants[i].Label
}

// briefWhy is how many causes of a contest are shown at the end of a comparison.
const briefWhy = 3

// Why are the lines that explain the verdicts, each with its variant where there are several. Of each contest the end
// of a comparison shows the first causes and what no function explains; the page and hone show have the whole account.
func (c *Comparison) Why() (lines []string) {
	for _, contest := range c.Contests {
		about := About(contest.B, len(c.Contests))
		causes, left := 0, 0
		for _, line := range contest.Why {
			if !strings.HasPrefix(line, notExplainedBy) {
				causes++
			}
			if c.brief && causes > briefWhy && !strings.HasPrefix(line, notExplainedBy) {
				left++
				continue
			}
			lines = append(lines, about+line)
		}
		if left > 0 {
			lines = append(lines, fmt.Sprintf("%swhy: %s: %s", about, units.Plural(left, "more cause"), c.Show))
		}
	}
	return lines
}
