package report

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
)

// markdownCommands folds away the commands that show and repeat the comparison.
func markdownCommands(d *comment, c *record.Comparison, runs []record.Run) {
	lines := []string{lineOf(runs).Stored("show", plainWord(c.ID))}
	if again := Again(c, runs); again != "" {
		lines = append(lines, again)
	}
	block := strings.Join(lines, "\n")
	fence := "```"
	for strings.Contains(block, fence) {
		fence += "`"
	}
	note := strings.TrimPrefix(spec.Unset(block), "; ")
	if note != "" {
		note = "\n" + note + "\n"
	}
	d.add("\n<details><summary>Commands</summary>\n\n%ssh\n%s\n%s\n%s\n</details>\n", fence, block, fence, note)
}

// lineOf is the command line that measured some runs together; nil where it is not known.
func lineOf(runs []record.Run) spec.Line {
	if len(runs) == 0 {
		return nil
	}
	return runs[0].Command
}

// lineOfRound is that of a round.
func lineOfRound(r *tuning.Round) spec.Line {
	if r == nil || r.Outcome == nil {
		return nil
	}
	return lineOf(r.Outcome.Runs)
}

// Again is the command line that repeats a comparison, with its order of slices; empty where it is not known.
func Again(c *record.Comparison, runs []record.Run) string {
	if len(runs) < 2 || runs[0].Command == nil {
		return ""
	}
	return runs[0].Command.Again().With(fmt.Sprintf("--seed=%d", c.Seed)).String()
}
