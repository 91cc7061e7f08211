package bed

import (
	"fmt"
	"os"
	"strings"
)

const pageHead = `# Measured

What hone claims about itself, with the figure that was measured, by case: ` + "`make bench CASE=NAME`" + ` repeats it. The link of a case has all of
its figures, with command, machine and commit (where it was recorded); [bench](../bench/README.md) says how they are measured. This page is made from those files.
In brackets: 95 % intervals, or the least and the greatest. The machines had two shared virtual CPUs and were mostly busy: read ratios
instead of times, and measure on yours.
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

// summary has a line for when and where, and one for each claim.
func (r Result) summary(b *strings.Builder) {
	date, _, _ := strings.Cut(r.Date, " ")
	machines := strings.Split(r.Machine, "; ")
	for i, m := range machines {
		machines[i], _, _ = strings.Cut(m, ",")
	}
	commit := ""
	if r.Commit != NotRecorded {
		commit = ", commit " + r.Commit
	}
	fmt.Fprintf(b, "\n%s, %s%s:\n\n", date, strings.Join(machines, " and "), commit)
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
