package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// ReachRow is a function that differs, as a table shows it.
type ReachRow struct {
	Name, Place string
	// Change is how it changed: its own source, through what it uses, or that one side only has it.
	Change string
	// By is what executes it; empty if nothing does.
	By string
}

// ReachRows are the rows of a table, in its order.
func ReachRows(t *reach.Table) (rows []ReachRow) {
	for _, f := range t.Functions {
		row := ReachRow{Name: f.Name, Place: placeOf(f), By: executedBy(f)}
		switch {
		case f.Only == "B":
			row.Change = "new"
		case f.Only == "A":
			row.Change = "removed"
		case len(f.Through) > 0:
			row.Change = "through " + units.FirstOf(f.Through, 3)
		default:
			row.Change = "source"
		}
		rows = append(rows, row)
	}
	return rows
}

func placeOf(f reach.Function) string {
	if f.Place.File == "" {
		return ""
	}
	return f.Place.String()
}

// executedBy is what executes a function, in words.
func executedBy(f reach.Function) string {
	var by []string
	for _, kind := range f.Executed {
		switch kind {
		case reach.Start:
			by = append(by, "at start")
		case reach.Load:
			by = append(by, "load")
		case reach.Test:
			by = append(by, "tests")
		case reach.Benchmark:
			by = append(by, strings.TrimSuffix(fmt.Sprintf("benchmark%s ", pluralS(len(f.Benchmarks))), " ")+" "+
				units.FirstOf(f.Benchmarks, 3))
		}
	}
	if f.Uncounted != "" {
		by = append(by, "in doubt: "+f.Uncounted)
	}
	return strings.Join(by, ", ")
}

func pluralS(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// mostNamed is how many functions a sentence names of each kind.
const mostNamed = 5

// reachWords name what executes functions, and what does not.
type reachWords struct {
	kind            reach.Kind
	executes, never string
}

// ReachOfLoad is what a load executes of what changed, in parts of one sentence.
func ReachOfLoad(t *reach.Table) []string {
	return reachParts(t, reachWords{reach.Load, "this load executes", "not executed"})
}

// reachOf says what the load of a comparison executes of what changed.
func reachOf(c *record.Comparison) []Statement {
	if c.Reach == nil {
		return nil
	}
	return []Statement{{Text: strings.Join(ReachOfLoad(c.Reach), "; ")}}
}

// ReachOfAll is what benchmarks and tests execute of it.
func ReachOfAll(t *reach.Table) []string {
	return reachParts(t, reachWords{reach.Benchmark, "benchmarks execute", "not executed"})
}

// ReachOfBenchmarks is what benchmarks execute of it, where no tests ran. There may be benchmarks that were not
// chosen, and some that execute a function as it was, since what changed is not in their code.
func ReachOfBenchmarks(t *reach.Table) []string {
	return reachParts(t, reachWords{reach.Benchmark, "these benchmarks execute what changed in",
		"none of them executes what changed in"})
}

// reachParts say how many functions changed, which of them runs of a kind execute, which only others do, and which
// nothing does. Functions that only hold the code of changed ones come last.
func reachParts(t *reach.Table, words reachWords) []string {
	if len(t.Functions) == 0 && len(t.Hidden) == 0 {
		return []string{"changed: nothing that is compiled"}
	}
	var executed, tested, started, never, inlining, doubtful []string
	starts := 0
	own := ownChanges(t)
	for _, f := range t.Functions {
		name := f.Name
		if place := placeOf(f); place != "" {
			name += " (" + place + ")"
		}
		switch {
		case onlyInlines(f, own):
			if f.During(words.kind) {
				inlining = append(inlining, f.Name)
			}
		case slices.Contains(f.Executed, words.kind):
			executed = append(executed, name)
		case f.Uncounted != "":
			doubtful = append(doubtful, f.Name+" ("+f.Uncounted+")")
		case f.During(reach.Test):
			tested = append(tested, f.Name)
		case f.During(reach.Start):
			started = append(started, whatStarts(f)...)
			starts++
		default:
			never = append(never, f.Name)
		}
	}
	all := len(executed) + len(doubtful) + len(tested) + starts + len(never)
	first := fmt.Sprintf("changed: %s", units.Plural(all, "function"))
	parts := []string{first, words.executes + " none of them"}
	switch {
	case len(executed) > 0:
		parts[1] = fmt.Sprintf("%s %d of them: %s", words.executes, len(executed), units.FirstOf(executed, mostNamed))
	case all == 0:
		parts = parts[:1]
	}
	for _, more := range []struct {
		what  string
		names []string
	}{{"by tests only", tested}, {"at start only", started}, {words.never, never},
		{"executed, with a changed function inlined", inlining}, {"in doubt", slices.Concat(t.Hidden, doubtful)}} {
		if len(more.names) > 0 {
			parts = append(parts, more.what+": "+units.FirstOf(more.names, mostNamed))
		}
	}
	return parts
}

// whatStarts names what a start executes: of what fills the variables of a package those that changed.
func whatStarts(f reach.Function) []string {
	if strings.HasSuffix(f.Name, ".init") && len(f.Through) > 0 {
		return f.Through
	}
	return []string{f.Name}
}

// NoneExecutes are the functions that differ, and that no run of a kind executes.
func NoneExecutes(t *reach.Table, kind reach.Kind) (names []string) {
	own := ownChanges(t)
	for _, f := range t.Functions {
		if !f.During(kind) && !f.During(reach.Start) && !onlyInlines(f, own) {
			names = append(names, f.Name)
		}
	}
	return names
}

// ExecutedBy says which benchmarks execute which functions: a line for each set of functions.
func ExecutedBy(t *reach.Table) (lines []string) {
	functions, benchmarks := map[string][]string{}, []string{}
	own := ownChanges(t)
	for _, f := range t.Functions {
		for _, name := range f.Benchmarks {
			if _, known := functions[name]; !known {
				benchmarks, functions[name] = append(benchmarks, name), nil
			}
			if !onlyInlines(f, own) {
				functions[name] = append(functions[name], f.Name)
			}
		}
	}
	by, order := map[string][]string{}, []string{}
	for _, name := range benchmarks {
		what := cmp.Or(units.FirstOf(functions[name], mostNamed), "code with a changed function inlined")
		if by[what] == nil {
			order = append(order, what)
		}
		by[what] = append(by[what], name)
	}
	for _, what := range order {
		executes := " execute "
		if len(by[what]) == 1 {
			executes = " executes "
		}
		lines = append(lines, units.FirstOf(by[what], mostNamed)+executes+what)
	}
	return lines
}

// ownChanges are the names of the functions whose own source has changed.
func ownChanges(t *reach.Table) map[string]bool {
	own := map[string]bool{}
	for _, f := range t.Functions {
		own[f.Name] = len(f.Through) == 0
	}
	return own
}

// onlyInlines says that a function differs by functions that are inlined in it, and in the table by themselves.
func onlyInlines(f reach.Function, own map[string]bool) bool {
	for _, name := range f.Through {
		if !own[name] {
			return false
		}
	}
	return len(f.Through) > 0
}
