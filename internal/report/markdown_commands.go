package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/redact"
	"github.com/gohone/hone/internal/subject"
)

// markdownCommands folds away the commands that show and repeat the comparison.
func markdownCommands(d *comment, c *lab.ComparisonRecord, runs []lab.Record) {
	lines := []string{"hone show " + plainWord(c.ID)}
	if again := Again(c, runs); again != "" {
		lines = append(lines, again)
	}
	block := strings.Join(lines, "\n")
	fence := "```"
	for strings.Contains(block, fence) {
		fence += "`"
	}
	d.add("\n<details><summary>Commands</summary>\n\n%ssh\n%s\n%s\n\nOptions of the protocol, such as headers and bodies, are not among them.%s\n\n</details>\n", fence, block, fence, leftOut(block))
}

// leftOut says of commands that values are missing in them, if so.
func leftOut(commands string) string {
	if !redact.Partial(commands) {
		return ""
	}
	return " Values marked " + inText(redact.Mark) + " or hmac: were left out: put your own in."
}

// Again is the command line that repeats a comparison, as far as its record tells: what a
// protocol was told, such as headers and bodies, is not in it. It is empty where a run says
// nothing of its variant.
func Again(c *lab.ComparisonRecord, runs []lab.Record) string {
	if len(runs) < 2 {
		return ""
	}
	words := []string{"hone", "compare"}
	for _, r := range runs {
		v := r.Binary.Variant
		if v.Source == "" {
			return ""
		}
		word := subject.JoinCommand(v.Words())
		if strings.HasPrefix(word, "-") { // it would be a flag: a run of others may say anything
			return ""
		}
		words = append(words, word)
	}
	r := runs[0]
	flag := func(name string, value any, set bool) {
		if set {
			words = append(words, "--"+name, fmt.Sprint(value))
		}
	}
	flag("target", r.Target, r.Target != "" && r.Assumption == "")
	for _, run := range runs {
		if run.Binary.Checkout != nil && run.DirRef == "" { // in a directory that was named, as all others
			flag("work-dir", run.Dir, true)
			break
		}
	}
	flag("connections", r.Plan.Connections, r.Plan.Connections > 0)
	flag("depth", r.Plan.Depth, r.Plan.Depth > 1)
	flag("rate", r.RateHz, r.RateHz > 0)
	flag("timeout", r.Plan.Timeout, r.Plan.Timeout > 0)
	flag("slice", r.Slice, r.Slice > 0)
	flag("budget", budgetOf(c.Budget.Round(time.Millisecond)), c.Budget > 0)
	if delta := deltaOf(c); delta > 0 {
		flag("delta", fmt.Sprintf("%.6g", delta), fmt.Sprintf("%.6g", delta) != fmt.Sprint(compare.DefaultDelta))
	}
	var texts []string
	for _, g := range c.Gates {
		if !slices.Contains(texts, g.Gate.Text) {
			texts = append(texts, g.Gate.Text)
			flag("gate", g.Gate.Text, true)
		}
	}
	flag("seed", c.Seed, c.Seed != 0)
	if len(r.Args) > 0 {
		words = append(append(words, "--"), r.Args...)
	}
	return subject.JoinCommand(words)
}
