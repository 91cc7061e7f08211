package prof

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/proftest"
)

func TestListWithoutSource(t *testing.T) {
	p := proftest.BuildCPU().Ticks(3, "main.f@/gone/f.go:7 < main.main@/gone/f.go:2").P
	list := show[*Listing](t, "list", p, ViewOptions{Function: expression("main.f"), Sources: rootSources{t}})
	if r := list.Routines[0]; r.NoSource == "" || len(r.Lines) != 1 || r.Lines[0].Number != 7 ||
		r.Lines[0].Flat != 3*proftest.Tick {
		t.Errorf("%+v", r)
	}
}

func TestViewsOfFunctionsNeedOne(t *testing.T) {
	p := proftest.BuildCPU().Ticks(1, "main.f").P
	for _, v := range Views {
		if !v.OfFunctions {
			continue
		}
		if _, err := v.Show(p, ViewOptions{}); err == nil || !strings.Contains(err.Error(), "which function") {
			t.Errorf("%s without a function: %v", v.Name, err)
		}
		if _, err := v.Show(p, ViewOptions{Function: expression("absent")}); err == nil {
			t.Errorf("%s of an absent function: no error", v.Name)
		}
	}
}

func TestTopCountsRecursionOncePerStack(t *testing.T) {
	p := proftest.BuildCPU().
		Ticks(3, "main.walk < main.walk < main.walk < main.main").
		Ticks(2, "main.leaf + main.walk < main.walk < main.main").
		Ticks(0, "main.never").P
	r := topOf(t, p, ViewOptions{Selection: Selection{SampleType: "samples"}})
	want := []topRow{{"main.walk", 3, 5}, {"main.leaf (inline)", 2, 2}, {"main.main", 0, 5}}
	if r.Total != 5 || r.Unit != "count" || len(r.Rows) != len(want) {
		t.Fatalf("got %+v", r)
	}
	for i, w := range want {
		if g := r.Rows[i]; g.label() != w.name || g.Flat != w.flat || g.Cum != w.cum {
			t.Errorf("row %d: %+v, want %+v", i, g, w)
		}
	}
}

// What a place costs that is left out goes to no other place.
func TestTrimmedPlacesCostNoOther(t *testing.T) {
	p := proftest.BuildCPU().
		Ticks(98, "main.leaf < main.middle < main.main").
		Ticks(1, "main.rare < main.main").P
	top := topOf(t, p, ViewOptions{NodeShare: 0.02})
	if top.Dropped != 1 || top.Shown != 98*proftest.Tick || top.Total != 99*proftest.Tick {
		t.Errorf("%+v", top.Head)
	}
	p = proftest.BuildCPU().Ticks(98, "main.leaf < main.middle < main.main").Ticks(2, "main.middle < main.main").P
	top = topOf(t, p, ViewOptions{Nodes: 1})
	if len(top.Rows) != 1 || top.Rows[0].Function != "main.leaf" || top.Dropped != 2 {
		t.Errorf("%+v", top)
	}
}

// A selection whose expressions match nothing says so.
func TestUnmatchedExpressionsAreSaid(t *testing.T) {
	p := proftest.BuildCPU().Ticks(1, "main.f").P
	top := topOf(t, p, ViewOptions{Selection: Selection{Ignore: expression("absent"), Hide: expression("nothing")}})
	if got := strings.Join(top.Unmatched, " "); got != "ignore hide" {
		t.Errorf("unmatched: %q", got)
	}
	var text bytes.Buffer
	if err := top.WriteText(&text); err != nil || !strings.Contains(text.String(), "--ignore matched nothing") {
		t.Errorf("%v: %s", err, &text)
	}
}

// Looking changes no profile.
func TestViewsLeaveTheProfileAlone(t *testing.T) {
	p := parseFile(t, "raw.cpu.pb.gz")
	before := p.String()
	for _, c := range selections {
		if c.file != "raw.cpu.pb.gz" {
			continue
		}
		for _, name := range []string{"top", "flame"} {
			v, err := ViewNamed(name)
			if err != nil {
				t.Fatal(err)
			}
			d, err := v.Show(p, c.look)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := json.Marshal(d); err != nil {
				t.Errorf("%s as JSON: %v", name, err)
			}
		}
	}
	if p.String() != before {
		t.Error("the profile was changed")
	}
}

func TestUnits(t *testing.T) {
	p := proftest.BuildCPU().Ticks(150, "main.f").P
	for unit, want := range map[string]string{"": "1.50 s", "ms": "1500 ms", "ns": "1500000000 ns"} {
		var text bytes.Buffer
		if err := topOf(t, p, ViewOptions{Unit: unit}).WriteText(&text); err != nil ||
			!strings.Contains(text.String(), want) {
			t.Errorf("unit %q: want %s in\n%s", unit, want, &text)
		}
	}
	v, _ := ViewNamed("top")
	if _, err := v.Show(p, ViewOptions{Unit: "kB"}); err == nil || !strings.Contains(err.Error(), "s ms us ns") {
		t.Errorf("kB of time: %v", err)
	}
}

func TestParseTagFilterRefuses(t *testing.T) {
	if _, err := ParseTagFilter("key=("); err == nil {
		t.Error("a broken expression is accepted")
	}
}
