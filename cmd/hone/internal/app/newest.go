package app

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// OrNewest are the names of a command line. For those that are missing at its end they are the newest, the older one
// first.
func OrNewest(names []string, want int) []string {
	for missing := want - len(names); missing > 0; missing-- {
		name := ledger.Last
		if missing > 1 {
			name = fmt.Sprintf("%s-%d", ledger.Last, missing-1)
		}
		names = append(names[:len(names):len(names)], name)
	}
	return names
}

// SayNewest says once which record a name by age stands for.
func (a *App) SayNewest(n ledger.Newest) {
	if _, known := a.said.LoadOrStore(n.Ref, true); known {
		return
	}
	line := fmt.Sprintf("%v of %s ago", n.Ref, Age(time.Since(n.Started)))
	of := n.Label
	if n.Comparison != "" {
		of = strings.TrimPrefix(of+", of comparison "+n.Comparison, ", ")
	}
	if of != "" {
		line += " (" + of + ")"
	}
	a.dimmed(line)
}

// Age is how old something is, in the largest unit of which it has at least one.
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return units.Plural(max(0, int(d/time.Second)), "second")
	case d < time.Hour:
		return units.Plural(int(d/time.Minute), "minute")
	case d < 24*time.Hour:
		return units.Plural(int(d/time.Hour), "hour")
	}
	return units.Plural(int(d/(24*time.Hour)), "day")
}

// TakeRuns makes the commands that take a run refuse source code, and complete the names of runs.
func (a *App) TakeRuns(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		a.TakeRuns(sub)
	}
	_, words, _ := strings.Cut(cmd.Use, " ")
	if !strings.Contains(words, "RUN") || strings.Contains(words, "PACKAGE") || strings.Contains(words, "DUMP") {
		return
	}
	check := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		names := args
		if dash := cmd.ArgsLenAtDash(); dash >= 0 {
			names = args[:dash]
		}
		if strings.HasPrefix(words, "FUNCTION ") {
			names = names[min(1, len(names)):]
		}
		if err := WantNoSource(cmd, names, "the name of a run"); err != nil || check == nil {
			return err
		}
		return check(cmd, args)
	}
	cmd.ValidArgsFunction = completeRuns
}

// mostCompleted is how many runs and comparisons a shell is offered.
const mostCompleted = 20

// completeRuns offers the names of the newest runs and comparisons. Files are offered where the command takes one.
func completeRuns(cmd *cobra.Command, _ []string, _ string) (names []string, directive cobra.ShellCompDirective) {
	directive = cobra.ShellCompDirectiveNoFileComp
	if strings.Contains(cmd.Use, "FILE") || strings.Contains(cmd.Use, "PROD") {
		directive = cobra.ShellCompDirectiveDefault
	}
	dir, err := cmd.Flags().GetString("ledger")
	if err != nil {
		return nil, directive
	}
	l, err := ledger.OpenReader(dir)
	if err != nil {
		return nil, directive // there is nothing to offer
	}
	defer l.Close()
	names = []string{ledger.Last + "\tthe newest", ledger.Last + "-1\tthe one before it"}
	runs, _ := l.Runs(ledger.RunFilter{Limit: mostCompleted, NoDoc: true})
	for _, r := range runs {
		names = append(names, r.ID+"\trun of "+printable.Line(r.Label))
	}
	if strings.Contains(cmd.Use, "COMPARISON") {
		comparisons, _ := l.Comparisons(mostCompleted)
		for _, c := range comparisons {
			names = append(names, c.ID+"\t"+printable.Line(c.Sentence))
		}
	}
	return names, directive
}
