package promises

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// PageFile is the page of all promises, from the directory bench.
const PageFile = "../docs/measured.md"

const pageHead = `# Measured

What hone promises, and how far it is held. ` + "`make bench CASE=NAME`" + `, with the name in the last column, measures it again; ` +
	"`bench/results/NAME.json`" + `
has command, machine, spread and all other figures, and [bench](../bench/README.md) says how they are measured. In brackets:
95 % intervals, or the least and the greatest. The machines had two shared virtual CPUs: read ratios instead of times, and
measure on yours. *stale*: code of hone that the row is about has changed since.

| promise | measured | goal | for comparison | date, commit | case |
|---|---|---|---|---|---|
`

// answer is a promise with the claim that answers for it.
type answer struct {
	promise
	bed.Claim
	taken bed.Taken
}

// answered finds the newest claims in a directory of results, and the cases that have none for a promise.
func answered(dir string) (found []answer, lacking []string, err error) {
	for _, p := range all {
		runs, err := bed.Load(dir, p.about)
		if err != nil {
			return nil, nil, err
		}
		a := answer{promise: p}
		for _, r := range runs { // the newest last
			for _, c := range r.Claims {
				if slices.Contains(p.claims, c.What) {
					a.Claim, a.taken = c, r.Taken
				}
			}
		}
		switch {
		case a.What != "":
			found = append(found, a)
		case !slices.Contains(lacking, p.about):
			lacking = append(lacking, p.about)
		}
	}
	return found, lacking, nil
}

// Page is the page of the promises.
func Page(dir string, stale Stale) (string, error) {
	found, lacking, err := answered(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(pageHead)
	for _, a := range found {
		origin := a.day()
		if a.taken.Commit != bed.NotRecorded {
			commit, _, _ := strings.Cut(a.taken.Commit, " ")
			origin += " " + commit[:min(len(commit), 7)]
		}
		if stale[a.text] {
			origin += ", " + staleMark
		}
		goal := ""
		if a.Goal != "" {
			goal = a.Goal + ": " + a.Word()
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join([]string{a.text, brief(a.Figure), goal, brief(a.Peer), origin, a.about}, " | "))
	}
	if len(lacking) > 0 {
		fmt.Fprintf(&b, "\nNot measured in full yet, or not with the code of today: %s.\n", strings.Join(lacking, ", "))
	}
	return b.String(), nil
}

const staleMark = "*stale*"

// brief is the first part of a figure, up to a semicolon that is in no brackets: the results have all of it.
func brief(figure string) string {
	depth := 0
	end := strings.IndexFunc(figure, func(r rune) bool {
		depth += map[rune]int{'(': 1, ')': -1}[r]
		return r == ';' && depth == 0
	})
	if end < 0 {
		end = len(figure)
	}
	return strings.ReplaceAll(strings.ReplaceAll(figure[:end], "\n", " "), "95 % interval ", "")
}

// day is when it was measured.
func (a answer) day() string {
	day, _, _ := strings.Cut(a.taken.Date, " ")
	return day
}

// Stale says of promises, by their texts, whether their figures are of older code.
type Stale map[string]bool

// StaleIn reads from a page which rows are marked.
func StaleIn(page string) Stale {
	stale := Stale{}
	for line := range strings.Lines(page) {
		if text, rest, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | "); ok && strings.Contains(rest, staleMark) {
			stale[text] = true
		}
	}
	return stale
}

// staleNow finds out which rows are of older code than that of the directory.
func staleNow(ctx context.Context, dir string, cases []bed.Case) (Stale, error) {
	found, _, err := answered(dir)
	if err != nil {
		return nil, err
	}
	changed := map[[2]string]bool{} // by case and commit
	stale := Stale{}
	for _, a := range found {
		key := [2]string{a.about, a.taken.Commit}
		if _, known := changed[key]; !known {
			i := slices.IndexFunc(cases, func(c bed.Case) bool { return c.Name == a.about })
			if i < 0 {
				return nil, fmt.Errorf("the promise %q is about %s, which is not a case", a.text, a.about)
			}
			changed[key] = bed.ChangedSince(ctx, a.taken.Commit, cases[i].About)
		}
		stale[a.text] = changed[key]
	}
	return stale, nil
}
