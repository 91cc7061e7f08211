package main

import (
	"fmt"
	"io"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

// areStored says whether a comparison is one of two stored runs. A directory of that name
// comes first, as it does for packages.
func areStored(words []string) (bool, error) {
	n := 0
	for _, word := range words {
		if app.IsStored(word) {
			n++
		}
	}
	if n == 0 || n == 2 && len(words) == 2 {
		return n == 2, nil
	}
	if n < len(words) {
		// a variant of hone.yaml may have such a name; else it is not a package, and is refused as one
		return false, nil
	}
	return false, fail.New(fail.BadInput, "%d stored runs, want two", n).
		WithHint("compare stored runs two by two: hone compare %s %s", words[0], words[len(words)-1])
}

// compareStored compares two stored runs, of which nothing is measured again.
func (a *commands) compareStored(f *app.MeasureFlags, words []string) error {
	if len(f.GateWords) > 0 {
		return fail.New(fail.BadInput, "--gate with stored runs: a gate is for a comparison that is measured now").
			WithHint("measure both together: hone compare REF:PACKAGE PACKAGE --gate ...")
	}
	if f.Weigh != "" {
		return fail.New(fail.BadInput, "--weigh with stored runs: a change is weighed when it is measured").
			WithHint("hone cover %s %s says how much of production the load of that run exercises", f.Weigh, words[0])
	}
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	lib := a.Library(l)
	together, c, err := lib.Stored.Pair(words[0], words[1], f.Rules())
	if err != nil {
		return err
	}
	if together != nil {
		return a.showTogether(f, lib, together)
	}
	return a.Print(f.JSON, c, func(w io.Writer) error { return report.Stored(w, c) })
}

// showTogether shows the comparison that both runs are of.
func (a *commands) showTogether(f *app.MeasureFlags, lib *page.Library, c *stored.Comparison) error {
	if !f.JSON && !f.Markdown {
		if _, err := fmt.Fprintf(a.Stdout, "measured together, in comparison %s; as it was decided then:\n",
			c.Row.ID); err != nil {
			return err
		}
	}
	return a.showComparison(f, lib, c)
}
