package reach

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/counters"
	"github.com/gohone/hone/bench/honecli"
)

// table is what is read of hone reach --json, and of the same part of hone compare --json.
type table struct {
	Functions []row
	// Hidden is what differs and belongs to no function.
	Hidden []any
	Notes  []struct{ Text string }
}

// row is a function in it.
type row struct {
	Name, Package string
	Place         struct {
		File     string
		From, To int
	}
	// Only is the side that has it, if the other has not.
	Only string
	// Executed are the kinds of what executes it, Benchmarks the benchmarks by name.
	Executed, Benchmarks []string
	// Uncounted says why it has no counter.
	Uncounted string
}

// ask has hone list the functions that differ between a version and the tree in which it runs.
func ask(ctx context.Context, hone honecli.Hone, dir, base string) (t table, err error) {
	hone.Dir, hone.Ledger = dir, "" // it keeps nothing
	_, err = hone.Ask(ctx, &t, nil, "reach", ".", "--vs", base, "--quiet", "--timeout", testTime.String())
	return t, err
}

// by is what hone says executes the function.
func (r row) by() (e executed) {
	e.Start, e.Tests = slices.Contains(r.Executed, "start"), slices.Contains(r.Executed, "test")
	for _, name := range r.Benchmarks {
		top, _, _ := strings.Cut(strings.TrimPrefix(name, "Benchmark"), "/")
		if !slices.Contains(e.Benchmarks, top) {
			e.Benchmarks = append(e.Benchmarks, top)
		}
	}
	slices.Sort(e.Benchmarks)
	return e
}

// of finds the rows of a function: by package and name, and else by its place.
func (t table) of(pkg string, c counters.Change) (rows []row) {
	f := c.Of()
	name, _, _ := strings.Cut(f.Name, "#")
	for _, r := range t.Functions {
		if r.Package == pkg && plain(r.Name) == name {
			rows = append(rows, r)
		}
	}
	if len(rows) > 0 {
		return rows
	}
	for _, r := range t.Functions {
		if r.Package == pkg && (r.Only == "A") == (c.B == nil) && path.Base(r.Place.File) == path.Base(f.File) &&
			r.Place.From <= f.To && r.Place.To >= f.From {
			rows = append(rows, r)
		}
	}
	return rows
}

// plain is a name of hone, such as cart.(*Cart[...]).Total, as the instrument has it: Cart.Total.
func plain(name string) string {
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		case '(', ')', '*':
		default:
			if depth == 0 {
				b.WriteRune(r)
			}
		}
	}
	_, name, _ = strings.Cut(b.String(), ".")
	return name
}
