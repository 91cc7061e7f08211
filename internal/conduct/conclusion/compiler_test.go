package conclusion

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/decisions"
	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

const (
	cartA = "# example.com/shop/cart\n./cart.go:3:6: can inline (*Cart).Add with cost 70 as: method() { x() }\n" +
		"./cart.go:9:6: cannot inline Text: function too complex: cost 90 exceeds budget 80\n" +
		"./cart.go:20:6: can inline Free with cost 9 as: func() { x() }\n" +
		"# example.com/shop\n./main.go:5:6: cannot inline work: recursive\n./main.go:6:3: inlining call to cart.(*Cart).Add\n"
	cartB = "# example.com/shop/cart\n./cart.go:3:6: cannot inline (*Cart).Add: function too complex: cost 84 exceeds budget 80\n" +
		"./cart.go:9:6: cannot inline Text: function too complex: cost 95 exceeds budget 80\n" +
		"./cart.go:20:6: can inline Free with cost 9 as: func() { x() }\n./cart.go:21:2: moved to heap: x\n" +
		"./cart.go:10:6: n escapes to heap\n" +
		"# example.com/shop\n./main.go:5:6: cannot inline work: recursive\n"
	isLonger = "cart.(*Cart).Add is no longer inlined in main.work (cost 84, limit 80)"
	escapes  = "n at cart.go:10 now escapes: +2 allocations of 16.0 B per operation"
)

func TestTheCompilerExplains(t *testing.T) {
	const add, work, text = "example.com/shop/cart.(*Cart).Add", "main.work", "example.com/shop/cart.Text"
	const free = "example.com/shop/cart.Free"
	a := proftest.BuildCPU().Ticks(50, add+" + "+work+" < main.main").Ticks(50, "fmt.Sprint < "+text+" < main.main")
	b := proftest.BuildCPU().Ticks(90, add+" < "+work+" < main.main").Ticks(50, "fmt.Sprint < "+text+" < main.main")
	sides := [2][]prof.Capture{{{Kind: "cpu", Profile: a.P}}, {{Kind: "cpu", Profile: b.P}}}
	change := func(function string, delta float64, calls bool) diff.Change {
		return diff.Change{Site: prof.Site{Function: function}, Delta: delta, Calls: calls}
	}
	allocs := func(function string, line int64) []diff.Change {
		return []diff.Change{{Site: prof.Site{Function: function, Line: line}, Delta: 2, Share: 100}}
	}
	for _, test := range []struct {
		name    string
		changes []diff.Change
		allocs  []diff.Change
		want    []string // of each change
	}{
		{"the function", []diff.Change{change(add, 3, false)}, nil, []string{isLonger}},
		{"the function that calls it", []diff.Change{change(work, 3, false)}, nil, []string{isLonger}},
		{"once", []diff.Change{change(add, 3, false), change(work, 2, false)}, nil, []string{isLonger, ""}},
		{"once for a caller of a caller", []diff.Change{change(work, 3, false), change(add, 2, false)}, nil,
			[]string{isLonger, ""}},
		{"with what it calls", []diff.Change{change("main.main", 3, true)}, allocs(text, 10),
			[]string{isLonger + "; " + escapes}},
		{"what it calls is another's", []diff.Change{change("main.main", 3, false)}, nil, []string{""}},
		{"a value", []diff.Change{change(text, 3, false)}, allocs(text, 10), []string{escapes}},
		{"a value of an expression of several lines", []diff.Change{change(text, 3, false)}, allocs(text, 11),
			[]string{"n at cart.go:10 now escapes"}},
		{"a value of a path that is not taken", []diff.Change{change(text, 3, false)}, nil, []string{""}},
		{"another allocates", []diff.Change{change(text, 3, false)}, allocs(add, 10), []string{""}},
		{"it allocates less", []diff.Change{change(text, 3, false)},
			[]diff.Change{{Site: prof.Site{Function: text, Line: 10}, Delta: -2, Share: -100}}, []string{""}},
		{"without a sample", []diff.Change{change(free, 3, false)}, allocs(free, 21),
			[]string{"x at cart.go:21 now escapes: +2 allocations of 16.0 B per operation"}},
		{"cheaper", []diff.Change{change(add, -3, false), change(text, -3, false)}, nil, []string{"", ""}},
		{"not the user's", []diff.Change{change("", 3, false), change("fmt.Sprint", 3, false)}, nil, []string{"", ""}},
		{"nothing changed", nil, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, asked := &diff.Explanation{Changes: test.changes}, false
			ask := func(_ context.Context, side int, packages []string) (decisions.Listing, error) {
				asked = true
				if !slices.Contains(packages, "example.com/shop/cart") {
					t.Errorf("asked about %v", packages)
				}
				return decisions.Parse([2]string{cartA, cartB}[side], "example.com/shop"), nil
			}
			code := prof.Code{Module: "example.com/shop", MainPackage: "example.com/shop"}
			m := Measured{CPU: e, Verdicts: []judge.Verdict{{Measure: measure.OperationAllocs, A: 1, B: 3},
				{Measure: measure.OperationBytes, A: 16, B: 48}}}
			if test.allocs != nil {
				m.Allocs = &diff.Explanation{Changes: test.allocs, Total: 100}
			}
			AskCompiler(t.Context(), ask, code, sides, m)
			var got []string
			for _, c := range e.Changes {
				got = append(got, strings.Join(c.Compiler, "; "))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if test.changes == nil && asked {
				t.Error("the compiler was asked about nothing")
			}
		})
	}
}
