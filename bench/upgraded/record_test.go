package upgraded

import (
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// around is a share with an interval of a point to both sides.
func around(name string, value float64) share {
	return share{Name: name, Share: value, Low: value - 0.01, High: value + 0.01}
}

// A part carries a change of its own direction, by 70 % of it, and not where it may be nothing.
func TestCarrier(t *testing.T) {
	for want, parts := range map[string][]share{
		"tea": {around("heap", 0.005), around("tea", 0.08)},
		"":    {around("heap", 0.06), around("tea", -0.09), around("json", 0.009)},
	} {
		if got := carrier(around("", 0.1), parts); got != want {
			t.Errorf("of %v carries %q, want %q", parts, got, want)
		}
	}
	if got := carrier(around("", -0.1), []share{around("json", -0.12)}); got != "json" {
		t.Errorf("a saving is carried by %q", got)
	}
	if got := carrier(around("", 0.01), []share{{Name: "x", Share: 0.009, Low: -0.001, High: 0.02}}); got != "" {
		t.Errorf("%q carries what it may not have", got)
	}
}

// What the second measurement finds of the parts takes the place of what hone upgrade says of them.
func TestAddsUp(t *testing.T) {
	whole := around("", 0.1)
	r := record{Whole: &whole, Rest: 0.02, Parts: []share{around("tea", 0.08), {Name: "heap", Low: -0.01, High: 0.01}},
		Alone: []share{around("tea", 0.085), around("heap", 0.05)}}
	if !r.addsUp() {
		t.Errorf("%v is not in %v", r.sum(), whole)
	}
	r.Alone[0].Share = 0.04
	if r.addsUp() {
		t.Errorf("%v is in %v", r.sum(), whole)
	}
}

// Only changes that both measurements find count for the goals, and each program counts once.
func TestWrite(t *testing.T) {
	of := func(name string, whole, again float64, parts, alone []share) record {
		a, b := around("", whole), around("", again)
		return record{Program: name, Whole: &a, Truth: &b, Parts: parts, Alone: alone, Control: "tea"}
	}
	tea := []share{around("tea", 0.1)}
	wrong := of("a", 0.1, 0.1, nil, tea)
	wrong.Named = true
	res := &bed.Result{}
	write(res, []record{{}, wrong, of("a", 0.1, 0.1, tea, tea), of("b", 0.1, -0.1, tea, tea),
		of("c", 0.1, 0.1, nil, tea), of("d", 0.1, 0.1, nil, nil), {Program: "e"}})
	text := res.Text()
	for _, want := range []string{
		"the part that carries 70 % of a confirmed change is named: 1 of 2,",
		"a part that is off on both sides is not named: 4 of 4,", "add up to the whole: 1 of 3,",
		"none is said to: 1 of 1,", "with a confirmed change: 3 of 5", "no confirmed change",
		"not found again",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Programs are of the corpus, each has a name of its own, and there are as many as the goal counts.
func TestProgramsAreTwelve(t *testing.T) {
	names, services := map[string]bool{}, 0
	for _, p := range programs {
		s := corpus.SubjectOf(p.Repo)
		if s == nil || names[p.String()] || p.From == p.To {
			t.Errorf("%s: not in the corpus, twice, or of one release", p)
			continue
		}
		if names[p.String()] = true; p.at(s.At("c")).Benchmark == "" {
			services++
		}
	}
	if len(programs) != 12 || services != 6 {
		t.Errorf("%d programs, %d of them services", len(programs), services)
	}
}
