package reach

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/samecode"
)

// TestBinaries are the test binaries of both sides, and what differs between them.
type TestBinaries struct {
	Changed *Change
	// Static is what each can execute at all.
	Static [2]*samecode.Reachable
	// Files differ between the sides, by slash-separated paths: a benchmark may read them.
	Files []string
}

// Candidate is a benchmark function that may execute something that differs.
type Candidate struct {
	// Function is its name, with Benchmark in front.
	Function string
	// Doubt says why it counts as one that does, whatever the counters say; empty where they tell.
	Doubt string
	// Later says that what it starts may go on in the background: only a run that lasts shows what that executes.
	Later bool

	hides   string // why it may execute what no counter shows; empty if it does not
	reaches []bool // the functions of the table that it may execute
}

// Candidate says what is known of a benchmark function before it runs.
func (t TestBinaries) Candidate(function string) Candidate {
	c := Candidate{Function: function, reaches: make([]bool, len(t.Changed.codes))}
	library := map[samecode.Symbol]bool{}
	for side, s := range t.Static {
		if !s.Has(function) {
			c.Suspect("only side " + sides[1-side] + " has it")
			continue
		}
		by := s.By(function)
		if by.Why != "" { // there is more than hone sees
			c.Lose("what it reaches is not all known: " + by.Why)
			for i := range c.reaches {
				c.reaches[i] = true
			}
		}
		if by.Reads != "" {
			c.Suspect("it may use " + by.Reads + ", which is filled before it")
		}
		for i, where := range t.Changed.codes {
			c.reaches[i] = c.reaches[i] || slices.ContainsFunc(where.symbols[side],
				func(s samecode.Symbol) bool { return by.Functions[s] && !t.Changed.starts(side, s) })
		}
		for f := range by.Library {
			library[f] = true
		}
		for f := range by.Functions { // an instance of a generic one stands in the package that uses it
			c.Later = c.Later || f.Package == "runtime" && strings.HasPrefix(f.Name, "AddCleanup")
		}
	}
	c.judge(t, library)
	return c
}

// judge looks for all that counters do not show.
func (c *Candidate) judge(t TestBinaries, library map[samecode.Symbol]bool) {
	if hidden := t.Changed.Table.Hidden; len(hidden) > 0 {
		c.Suspect(hidden[0])
	}
	if name := firstOther(t.Static[0].Tasks(), t.Static[1].Tasks()); name != "" {
		c.Suspect("other packages are initialised, or in another order: " + name)
	}
	for i, f := range t.Changed.Table.Functions {
		switch {
		case slices.Contains(f.Executed, Start) && t.Changed.start.Why != "":
			c.Suspect(fmt.Sprintf("%s, which runs before it (%s)", f.Name, t.Changed.start.Why))
		case slices.Contains(f.Executed, Start) && c.reaches[i]: // a function that a variable holds
			c.Suspect(f.Name)
		case c.reaches[i] && strings.HasSuffix(f.Name, "."+c.Function):
			c.Suspect("it has changed itself")
		case f.Uncounted != "" && c.reaches[i]:
			c.Suspect(f.Name + " (" + f.Uncounted + ")")
		}
	}
	for f := range library {
		c.Later = c.Later || goesOn(f)
		if startsProcess(f) {
			c.Lose("it starts other processes (" + nameOfLibrary(f) + ")")
		}
		for _, file := range t.Files {
			if reads(f, file) {
				c.Suspect(fmt.Sprintf("it may read %s (%s)", file, nameOfLibrary(f)))
				break
			}
		}
	}
}

// firstOther is the first package that is initialised on one side only, or in another place; empty if there is none.
func firstOther(a, b []string) string {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i < len(b) && a[i] != b[i] {
			return strings.TrimSuffix(b[i], "..inittask")
		}
		if i >= len(b) {
			return strings.TrimSuffix(a[i], "..inittask")
		}
	}
	return ""
}

func nameOfLibrary(f samecode.Symbol) string { return path.Base(f.Package) + "." + f.Name }

// goesOn says that a function of Go's library starts something that runs beside its caller, or later.
func goesOn(f samecode.Symbol) bool {
	switch f.Package {
	case "runtime":
		return slices.Contains([]string{"newproc", "SetFinalizer", "AddCleanup"}, f.Name)
	case "time", "context":
		return f.Name == "AfterFunc"
	case "sync":
		return f.Name == "(*WaitGroup).Go"
	case "testing":
		return f.Name == "(*B).RunParallel"
	}
	return f.Package == "net/http" || f.Package == "net/rpc"
}

// startsProcess says that a function starts another process, which has counters of its own, if any.
func startsProcess(f samecode.Symbol) bool {
	switch f.Package {
	case "os":
		return f.Name == "StartProcess"
	case "syscall":
		return slices.Contains([]string{"StartProcess", "ForkExec", "Exec"}, f.Name)
	}
	return f.Package == "os/exec" || f.Package == "net/http/cgi"
}

// reads says that a function of Go's library opens files, of which a given one may be one.
func reads(f samecode.Symbol, file string) bool {
	isGo := path.Ext(file) == ".go"
	switch f.Package {
	case "go/parser", "go/build", "go/importer":
		return isGo || path.Base(file) == "go.mod"
	case "os":
		return !isGo && !isProse(file) && (strings.HasPrefix(f.Name, "(*Root).") || slices.Contains([]string{"Open", "OpenFile",
			"ReadFile", "ReadDir", "DirFS", "OpenRoot", "OpenInRoot", "CopyFS"}, f.Name))
	case "path/filepath", "text/template", "html/template":
		return !isGo && !isProse(file) && (strings.HasPrefix(f.Name, "Walk") || strings.Contains(f.Name, "Glob") ||
			strings.Contains(f.Name, "ParseFiles"))
	case "syscall":
		return !isGo && !isProse(file) && f.Name == "Open"
	case "archive/zip", "debug/elf", "debug/pe", "debug/macho", "debug/buildinfo":
		return !isGo && !isProse(file) && strings.HasPrefix(f.Name, "Open") || f.Name == "ReadFile"
	case "io/ioutil", "net/http":
		return !isGo && !isProse(file) && (strings.HasPrefix(f.Name, "Read") || strings.Contains(f.Name, "Dir") ||
			strings.Contains(f.Name, "File"))
	}
	return false
}

// isProse says that a file is one of those that people, or tools around a repository, read.
func isProse(file string) bool {
	base := path.Base(file)
	name, _, _ := strings.Cut(base, ".")
	return path.Ext(base) == ".md" || strings.HasPrefix(file, ".") || strings.Contains(file, "/.") ||
		slices.Contains([]string{"go.mod", "go.sum", "go.work", "go.work.sum", "Makefile"}, base) ||
		slices.Contains([]string{"README", "LICENSE", "CHANGELOG", "CHANGES", "AUTHORS", "CONTRIBUTORS", "NOTICE"}, name)
}

// ByBenchmarks is what differs for those who ask what benchmarks execute: without the functions of test files, and
// where no benchmark can execute a function, that is known. What the compiler has made counts only where one can.
func (c *Change) ByBenchmarks(all []Candidate) *Change {
	some := &Change{Table: Table{Hidden: c.Table.Hidden}, start: c.start}
	for i, f := range c.Table.Functions {
		where := c.codes[i]
		can := slices.ContainsFunc(all, func(b Candidate) bool { return b.reaches[i] })
		isMade := f.Place.File == "" && f.Uncounted != ""
		if f.inTests() || isMade && !can {
			continue
		}
		for _, b := range all {
			if b.reaches[i] && b.hides != "" {
				where.open = fmt.Sprintf("%s may execute it: %s", strings.TrimPrefix(b.Function, "Benchmark"), b.hides)
			}
		}
		where.unused = !can
		if !can && c.onlyCalled(where) {
			f.Executed = []Kind{Start}
		}
		some.Table.Functions, some.codes = append(some.Table.Functions, f), append(some.codes, where)
	}
	return some
}

// WithoutTests is what differs without the functions of test files.
func (c *Change) WithoutTests() *Change {
	some := &Change{Table: Table{Hidden: c.Table.Hidden}, start: c.start}
	for i, f := range c.Table.Functions {
		if !f.inTests() {
			some.Table.Functions, some.codes = append(some.Table.Functions, f), append(some.codes, c.codes[i])
		}
	}
	return some
}

// inTests says that a function stands in a test file.
func (f *Function) inTests() bool { return strings.HasSuffix(f.Place.File, "_test.go") }

// onlyCalled says that a function is called by what only runs before main.
func (c *Change) onlyCalled(where code) bool {
	for _, all := range where.symbols {
		for _, s := range all {
			if c.start.Why != "" || !c.start.Called[s] {
				return false
			}
		}
	}
	return true
}

// Lose notes why counters do not show all that a benchmark executes.
func (c *Candidate) Lose(why string) {
	c.hides = cmp.Or(c.hides, why)
	c.Suspect(why)
}

// Suspect notes why a benchmark counts as one that executes something that differs; the first reason is kept.
func (c *Candidate) Suspect(why string) { c.Doubt = cmp.Or(c.Doubt, why) }

// NeedsCounters says whether the benchmark may execute something that only counters show.
func (c *Candidate) NeedsCounters(of *Change) bool {
	for i := range of.Table.Functions {
		if c.reaches[i] && of.Table.Functions[i].needsCounters() {
			return true
		}
	}
	return false
}

// Leaves says whether a benchmark may execute something that runs have not executed.
func (c *Change) Leaves(b *Candidate, runs []Execution) bool {
	for i := range c.codes {
		if b.reaches[i] && c.Table.Functions[i].needsCounters() && !c.executes(i, runs) {
			return true
		}
	}
	return false
}

// starts says that a function of a side only runs before main.
func (c *Change) starts(side int, s samecode.Symbol) bool {
	return c.start.Why == "" && c.start.Functions[side][s]
}

// Start is what differs before main.
func (c *Change) Start() *samecode.Start { return c.start }

// StartsIn are the packages in which something differs that only runs before main, and is known to fill variables: the
// memory that they allocate there is to be compared.
func (c *Change) StartsIn() (packages []string) {
	if c.start.Why != "" {
		return nil
	}
	for _, functions := range c.start.Functions {
		for f := range functions {
			if !slices.Contains(packages, f.Package) {
				packages = append(packages, f.Package)
			}
		}
	}
	return packages
}

// Unseen says that a load sees nothing of what differs, by the table of what it executes: nothing is executed under
// load, nor at the start, but for what is known to fill variables alone that nothing else uses.
func (c *Change) Unseen(t *Table) bool {
	for i, f := range t.Functions {
		if f.During(Load) || f.During(Start) && !(c.codes[i].starts && c.seen == "") {
			return false
		}
	}
	return len(t.Hidden) == 0
}

// Executes says whether runs of a benchmark have executed something that differs, and that it may execute.
func (c *Change) Executes(b *Candidate, runs []Execution) bool {
	for i := range c.codes {
		if b.reaches[i] && c.executes(i, runs) {
			return true
		}
	}
	return false
}

// executes says whether runs have executed one function.
func (c *Change) executes(i int, runs []Execution) bool {
	for _, r := range runs {
		for side, counters := range r.Counters {
			if _, executed := counters.in(c.codes[i].files[side], c.codes[i].places[side]); executed {
				return true
			}
		}
	}
	return false
}

// Uncounted is a function that lacks counters in runs that should have them: empty if there is none.
func (c *Change) Uncounted(b Candidate, runs []Execution) string {
	for i, f := range c.Table.Functions {
		if !b.reaches[i] || !f.needsCounters() {
			continue
		}
		for side, file := range c.codes[i].files {
			counted := false
			for _, r := range runs {
				has, _ := r.Counters[side].in(file, c.codes[i].places[side])
				counted = counted || has
			}
			if file != "" && !counted {
				return f.Name
			}
		}
	}
	return ""
}
