package reach

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/counters"
)

// What hone says of a function is held against the counters: a benchmark that it does not name is a miss, one that it
// names too many is not, and what is in doubt is right.
func TestHold(t *testing.T) {
	truth := executed{Tests: true, Benchmarks: []string{"Join", "Split"}}
	one := func(kinds []string, benchmarks ...string) []row {
		return []row{{Name: "words.Join", Executed: kinds, Benchmarks: benchmarks}}
	}
	for _, c := range []struct {
		name          string
		truth         executed
		rows          []row
		hidden, same  bool
		missed, extra int
	}{
		{"right", truth, one([]string{"benchmark", "test"}, "Join", "Split/long"), false, false, 0, 0},
		{"a benchmark is missed", truth, one([]string{"benchmark", "test"}, "Join"), false, false, 1, 0},
		{"nothing executes it, says hone", truth, one(nil), false, false, 3, 0},
		{"not listed", truth, nil, false, false, 3, 0},
		{"not listed, and no change", truth, nil, false, true, 0, 0},
		{"not listed, in doubt", truth, nil, true, false, 0, 0},
		{"without a counter", truth, []row{{Uncounted: "assembly"}}, false, false, 0, 0},
		{"nothing executes it", executed{}, one(nil), false, false, 0, 0},
		{"hone says more", executed{}, one([]string{"benchmark"}, "Join"), false, false, 0, 1},
		{"the start is missed", executed{Start: true}, one(nil), false, false, 1, 0},
		{"a start that tests execute, too", executed{Start: true, Tests: true}, one([]string{"test"}), false, false, 0, 0},
		{"the start", executed{Start: true}, one([]string{"start"}), false, false, 0, 0},
	} {
		f := finding{Truth: c.truth, SameCode: c.same}
		f.check(c.rows, c.hidden)
		if len(f.Missed) != c.missed || len(f.Extra) != c.extra {
			t.Errorf("%s: missed %q, extra %q", c.name, f.Missed, f.Extra)
		}
	}
}

// A function is found by its name, whatever its receiver is, or by its place.
func TestRowsOf(t *testing.T) {
	for name, want := range map[string]string{"cart.(*Cart).Total": "Cart.Total", "cart.(*Cart[...]).Total": "Cart.Total",
		"cart.Cart.Total": "Cart.Total", "cart.Map[int,string]": "Map", "main.main": "main", "cart.F.func1": "F.func1"} {
		if got := plain(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	var in table
	in.Functions = make([]row, 2)
	in.Functions[0].Name, in.Functions[0].Package = "cart.(*Cart).Total", "m/cart"
	in.Functions[1].Name, in.Functions[1].Package = "cart.glob..func1", "m/cart"
	in.Functions[1].Place.File, in.Functions[1].Place.From, in.Functions[1].Place.To = "/x/cart/cart.go", 7, 9
	f := &counters.Function{Dir: "cart", Name: "Cart.Total", File: "cart/cart.go", From: 20, To: 30}
	if rows := in.of("m/cart", counters.Change{B: f}); len(rows) != 1 || rows[0].Name != "cart.(*Cart).Total" {
		t.Errorf("by name: %v", rows)
	}
	f = &counters.Function{Dir: "cart", Name: "names", File: "cart/cart.go", From: 6, To: 8}
	if rows := in.of("m/cart", counters.Change{B: f}); len(rows) != 1 || rows[0].Name != "cart.glob..func1" {
		t.Errorf("by place: %v", rows)
	}
	if rows := in.of("m/other", counters.Change{B: f}); len(rows) != 0 {
		t.Errorf("of another package: %v", rows)
	}
}

const listing = `# m/cart
m/cart.(*Cart).Total STEXT nosplit size=10 args=0x8
	0x0000 00000 (/tmp/A/cart.go:5)	TEXT	m/cart.(*Cart).Total(SB)
	0x0000 00000 (/tmp/A/cart.go:6)	RET
m/cart.(*Cart).Total.func1 STEXT size=4
	0x0000 00000 (/tmp/A/cart.go:7)	CALL	m/cart.other(SB)
m/cart.other STEXT size=4
	0x0000 00000 (/tmp/A/cart.go:9)	RET
m/cart..stmp_0 SRODATA size=8
	0x0000 01 02
`

// Of the compiler's listing positions do not count, function literals and unnamed data do, other functions do not.
func TestOfFunction(t *testing.T) {
	is := ofFunction(listing, "m/cart", "Cart.Total", true)
	for _, want := range []string{"RET", "CALL\tm/cart.other", "0x0000 01 02"} {
		if !strings.Contains(is, want) {
			t.Errorf("no %q in %q", want, is)
		}
	}
	moved := strings.ReplaceAll(strings.ReplaceAll(listing, "/tmp/A/", "/tmp/B/"), "go:6", "go:60")
	if ofFunction(moved, "m/cart", "Cart.Total", true) != is || strings.Count(is, "RET") != 1 {
		t.Error("positions count")
	}
	if ofFunction(strings.Replace(listing, "01 02", "01 03", 1), "m/cart", "Cart.Total", true) == is ||
		ofFunction(listing, "m/cart", "Cart.Nothing", true) != "" {
		t.Error("data does not count, or an unknown function has code")
	}
}

// Of a load, hone is right if it says executed of what is, and anything else of what is not.
func TestPlanted(t *testing.T) {
	var in table
	in.Functions = []row{{Name: "main.total", Executed: []string{"load"}}, {Name: "main.load", Executed: []string{"start"}},
		{Name: "main.mail"}, {Name: "main.asm", Uncounted: "assembly"}}
	for i := range in.Functions {
		in.Functions[i].Place.File = "shop.go"
	}
	for name, want := range map[string]says{"total": byLoad, "load": byStart, "mail": byNothing, "asm": inDoubt,
		"other": notListed} {
		got := in.says("cmd/shop/shop.go:" + name)
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		executed, not := plantedIn{Executed: true, Says: got}, plantedIn{Says: got}
		if executed.right() != slices.Contains([]says{byLoad, inDoubt}, want) || not.right() != (want != byLoad) {
			t.Errorf("%s: right %v and %v", want, executed.right(), not.right())
		}
	}
	if (plantedIn{Says: noTable}).right() {
		t.Error("no table is right")
	}
}

// The document counts commits, lists what disagrees, and takes the last record of a commit.
func TestDocument(t *testing.T) {
	good := finding{Name: ". Join", Truth: executed{Tests: true}, Row: &executed{Tests: true}}
	bad := finding{Name: ". Split", Truth: executed{Tests: true}, Missed: []string{"tests execute"}}
	records := []record{
		{Repo: "google/uuid", Commit: "a", Functions: []finding{bad}},
		{Entry: bed.Entry{At: time.Now()}, Repo: "google/uuid", Commit: "a", Functions: []finding{good}},
		{Repo: "google/uuid", Commit: "b", Functions: []finding{good, bad},
			Bench: &leftOut{NotExecuted: 3, Missed: []string{"Join executes . Join"}}},
		{Repo: "google/uuid", Commit: "c", LeftOut: "does not build"},
		{Repo: "google/uuid", Commit: "d", Refused: "a fault"},
		{Repo: "google/uuid", Commit: "f", Functions: []finding{{Name: ". Cut", Doubt: ofNoFunction}}},
		{Repo: "google/uuid", Commit: "g", Hidden: []string{"C code of x"}, Functions: []finding{good}},
		{Repo: "google/uuid", Commit: "h", Hidden: []string{"C code of x"}, Functions: []finding{bad}},
		{Repo: "m3ng9i/ran", Commit: "e", Planted: &plantedIn{Function: "x.go:f", Executed: true, Says: byLoad}},
		{Repo: "m3ng9i/ran", Commit: "e", Planted: &plantedIn{Function: "x.go:g", Says: byLoad}},
	}
	res := &bed.Result{}
	document(res, records)
	for _, line := range []string{"all of a commit right: 1 of 4", "does not say: 2 of 6; goal none: missed", "google/uuid b",
		"2 of 6; they are not counted as right",
		"that execute what differs: 1 of 3, 33.3 % (6.1 ... 79.2); goal at most 0 %: missed",
		"no table: a fault", "that a load executes: says so: 1 of 1", "does not execute: says so: 0 of 1"} {
		if !strings.Contains(res.Text(), line) {
			t.Errorf("no %q in\n%s", line, res.Text())
		}
	}
}

// A benchmark that hone leaves out must not execute what differs; what is compiled to the same code does not, nor
// what is inlined in a benchmark that is.
func TestLeftOut(t *testing.T) {
	functions := []finding{{Name: ". Join", Truth: executed{Benchmarks: []string{"Join", "Inlines", "Rare", "Kept"}}},
		{Name: ". Same", SameCode: true, Truth: executed{Benchmarks: []string{"Split"}}}}
	var l leftOut
	const same, not = "same code", "executes nothing that changed"
	l.check([]unchanged{{"Join", same}, {"Split", same}, {"Cut", same}, {"Inlines", same}, {"Rare", not}, {"Kept", not}},
		functions, func(benchmark string) bool { return benchmark == "Inlines" || benchmark == "Kept" })
	want := []string{"Join executes . Join", "Rare executes . Join", "Kept executes . Join"}
	if !slices.Equal(l.Missed, want) {
		t.Errorf("missed %q, want %q", l.Missed, want)
	}
}
