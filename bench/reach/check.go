package reach

import (
	"slices"
)

// ofNoFunction is the doubt in functions that hone does not list where something hidden differs.
const ofNoFunction = "something that belongs to no function differs"

// check compares hone's rows of a function with what the counters show. A function without a row counts as not
// executed. What hone calls in doubt is right, whatever was executed.
func (f *finding) check(rows []row, hidden bool) {
	if len(rows) == 0 {
		if hidden {
			f.Doubt = ofNoFunction
		}
		if f.Doubt == "" && !f.SameCode {
			f.Missed = missing(f.Truth, executed{})
		}
		return
	}
	said := executed{}
	for _, r := range rows {
		by := r.by()
		said.Start, said.Tests = said.Start || by.Start, said.Tests || by.Tests
		said.Benchmarks = append(said.Benchmarks, by.Benchmarks...)
		if r.Uncounted != "" {
			f.Doubt = r.Uncounted
		}
	}
	slices.Sort(said.Benchmarks)
	said.Benchmarks = slices.Compact(said.Benchmarks)
	f.Row = &said
	if f.Doubt == "" {
		f.Missed, f.Extra = missing(f.Truth, said), missing(said, f.Truth)
	}
}

// missing is what is in one and not in the other. A start is said only of what nothing else executes.
func missing(is, said executed) (all []string) {
	if is.Tests && !said.Tests {
		all = append(all, "tests execute")
	}
	for _, b := range is.Benchmarks {
		if !slices.Contains(said.Benchmarks, b) {
			all = append(all, "benchmark "+b+" executes")
		}
	}
	if is.Start && !is.Tests && len(is.Benchmarks) == 0 && !said.any() {
		all = append(all, "the start executes")
	}
	return all
}
