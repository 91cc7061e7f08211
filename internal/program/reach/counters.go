package reach

import (
	"fmt"
	"slices"

	"golang.org/x/tools/cover"
)

// Counters are the blocks of a build with coverage counters, by the names of their files: import path and file.
type Counters map[string][]cover.ProfileBlock

// ReadCounters reads a coverage profile, as go test -coverprofile and go tool covdata textfmt write it.
func ReadCounters(path string) (Counters, error) {
	profiles, err := cover.ParseProfiles(path)
	if err != nil {
		return nil, fmt.Errorf("read coverage profile: %w", err)
	}
	c := Counters{}
	for _, p := range profiles {
		c[p.FileName] = append(c[p.FileName], p.Blocks...)
	}
	return c, nil
}

// in says whether code between two lines of a file has counters, and whether one of them has counted.
func (c Counters) in(file string, lines Place) (counted, executed bool) {
	for _, b := range c[file] {
		if b.StartLine >= lines.From && b.EndLine <= lines.To {
			counted = true
			executed = executed || b.Count > 0
		}
	}
	return counted, executed
}

// Execution is what the builds of A and B have counted: until the load began, and since.
type Execution struct{ Start, Load [2]Counters }

// Executed is the table with when each function was executed, by A or by B.
func (c *Change) Executed(e Execution) *Table {
	t := c.Table
	t.Functions = slices.Clone(t.Functions)
	for i := range t.Functions {
		f := &t.Functions[i]
		if f.Executed != "" { // known without counters
			continue
		}
		counted, atStart, underLoad := false, false, false
		for side := range sides {
			file, lines := c.files[side][i], c.lines[side][i]
			known, executed := e.Load[side].in(file, lines)
			underLoad = underLoad || executed
			_, executed = e.Start[side].in(file, lines)
			counted, atStart = counted || known, atStart || executed
		}
		switch {
		case underLoad:
			f.Executed = UnderLoad
		case !counted:
			f.Executed = InDoubt
			if f.Uncounted == "" {
				f.Uncounted = "no counters"
			}
		case atStart:
			f.Executed = AtStart
		default:
			f.Executed = Never
		}
	}
	return &t
}

// Counted are the packages whose functions need counters.
func (c *Change) Counted() (packages []string) {
	for _, f := range c.Table.Functions {
		if f.Uncounted == "" && f.Executed == "" && !slices.Contains(packages, f.Package) {
			packages = append(packages, f.Package)
		}
	}
	return packages
}
