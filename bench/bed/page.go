package bed

import (
	"fmt"
	"os"
	"strings"
)

const pageHead = `# Measured

What hone claims about itself, with the figure that was measured. Each row has the case that measures it: ` + "`make bench CASE=NAME`" + `
in a checkout of hone. All figures of a case, with the exact command and the machine, are in
[bench/results](../bench/results), from which ` + "`go run . -page`" + ` in bench makes this page. In brackets: 95 % intervals, or the least and the
greatest. The machines had two shared virtual CPUs and were mostly busy: read ratios rather than times, and measure on yours.

| case | what | figure | date, machine | commit |
|---|---|---|---|---|
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
		for _, r := range runs {
			for _, c := range r.Claims {
				date, _, _ := strings.Cut(r.Date, " ")
				fmt.Fprintf(&b, "| [%s](../bench/results/%s) | %s | %s | %s, %s | %s |\n", name, e.Name(), cell(c.What), cell(c.Figure), date, short(r.Machine), r.Commit)
			}
		}
	}
	return b.String(), nil
}

// WritePage writes the summary of the results in dir.
func WritePage(dir, path string) error {
	text, err := Page(dir)
	if err != nil {
		return err
	}
	return WriteFile(path, text)
}

// cell is text that does not end its cell.
func cell(text string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text) }

// short is the name of a machine without its facts.
func short(machine string) string {
	name, _, _ := strings.Cut(machine, ",")
	return name
}
