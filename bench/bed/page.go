package bed

import (
	"fmt"
	"os"
	"strings"
)

const pageHead = `# Measured

What hone claims about itself, by case: ` + "`make bench CASE=NAME`" + ` measures it again. The link of a case has all of its figures, with command, machine and
commit (where it was recorded); [bench](../bench/README.md) says how they are measured. In brackets: 95 % intervals, or the least and the greatest. The machines
had two shared virtual CPUs and were mostly busy: read ratios instead of times, and measure on yours.

` + "`make bench CASE=insight`" + ` holds findings, causes of waiting and the reasons for verdicts against what is true of [programs by others](../bench/insight/corpus/README.md).
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
		origin := ""
		for _, r := range runs {
			if o := r.origin(); o != origin {
				origin = o
				fmt.Fprintf(&b, "\n%s:\n\n", o)
			}
			for _, c := range r.Claims {
				fmt.Fprintf(&b, "- %s: **%s**\n", line(c.What), line(c.Figure))
			}
		}
	}
	return b.String(), nil
}

// origin says when and where.
func (r Result) origin() string {
	date, _, _ := strings.Cut(r.Date, " ")
	machines := strings.Split(r.Machine, "; ")
	for i, m := range machines {
		machines[i], _, _ = strings.Cut(m, ",")
	}
	commit := ""
	if r.Commit != NotRecorded {
		commit = ", commit " + r.Commit
	}
	return date + ", " + strings.Join(machines, " and ") + commit
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
