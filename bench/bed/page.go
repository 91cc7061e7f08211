package bed

import (
	"fmt"
	"os"
	"strings"
)

const pageHead = `# Measured

What hone claims about itself, with the figure that was measured, by the case that measures it: ` + "`make bench CASE=NAME`" + ` in a checkout.
The link of a case has all of its figures, with the machine; [bench](../bench/README.md) says how they are measured. This page is made
from those files. In brackets: 95 % intervals, or the least and the greatest. The machines had two shared virtual CPUs and were mostly
busy: read ratios rather than times, and measure on yours.
`

// Page is the summary of all published results.
func Page(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("list results: %w", err)
	}
	var b strings.Builder
	b.WriteString(pageHead)
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok {
			continue
		}
		runs, err := Load(dir, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n## [%s](../bench/results/%s)\n", name, e.Name())
		for _, r := range runs {
			r.summary(&b)
		}
	}
	return b.String(), nil
}

// summary has a line for where and how, and one for each claim.
func (r Result) summary(b *strings.Builder) {
	date, _, _ := strings.Cut(r.Date, " ")
	machines := strings.Split(r.Machine, "; ")
	for i, m := range machines {
		machines[i], _, _ = strings.Cut(m, ",")
	}
	command, more, _ := strings.Cut(r.Command, "; ")
	if command = "`" + command + "`"; more != "" {
		command += " and more"
	}
	fmt.Fprintf(b, "\n%s, %s, commit %s, %s\n\n", date, strings.Join(machines, " and "), r.Commit, command)
	for _, c := range r.Claims {
		fmt.Fprintf(b, "- %s: **%s**\n", line(c.What), line(c.Figure))
	}
}

// WritePage writes the summary of the results in dir.
func WritePage(dir, path string) error {
	text, err := Page(dir)
	if err != nil {
		return err
	}
	return WriteFile(path, text)
}

// line is text without ends of lines.
func line(text string) string { return strings.ReplaceAll(text, "\n", " ") }
