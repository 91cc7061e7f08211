package ledger

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
)

// What is no result is refused before anything is taken, and every fault is named.
func TestMeasuresAreChecked(t *testing.T) {
	l := mustOpen(t, t.TempDir())
	d, err := l.BeginRun(Run{})
	if err != nil {
		t.Fatal(err)
	}
	one, two, nan := 1.0, 2.0, math.NaN()
	good := MeasureValue{Name: "cpu", Unit: "ns", Value: 1, Low: &one, High: &two}
	for name, bad := range map[string]MeasureValue{
		"no name": {Value: 1}, "NaN": {Name: "x", Value: nan}, "infinite": {Name: "x", Value: math.Inf(1)},
		"one bound": {Name: "x", Low: &one}, "upside down": {Name: "x", Low: &two, High: &one},
		"NaN bound": {Name: "x", Low: &nan, High: &two},
		"twice":     {Name: "cpu"},
	} {
		if err := d.AddMeasures([]MeasureValue{good, bad}); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if err := d.AddMeasures([]MeasureValue{good}); err != nil {
		t.Error(err)
	}
	d.SetPlan(PlanKey{Target: "http://127.0.0.1:4711/", Connections: 3, Depth: 1})
	if m, err := l.Measures(d.ID()); err != nil || len(m) != 0 {
		t.Errorf("before the end: %v, %v", m, err)
	}
	if err := d.Finish(Partial, "", nil); err != nil {
		t.Fatal(err)
	}
	if m, err := l.Measures(d.ID()); err != nil || !reflect.DeepEqual(m, []MeasureValue{good}) {
		t.Errorf("%v, %v", m, err)
	}
	if r, err := l.Run(d.ID()); err != nil || r.Target != "http://127.0.0.1:4711/" ||
		r.Plan != "http, 3 connections, depth 1, closed loop" {
		t.Errorf("%+v, %v", r, err)
	}
}

// Plans that differ in what matters have different keys; the port does not matter.
func TestPlanKey(t *testing.T) {
	base := PlanKey{Target: "http://127.0.0.1:80/x?y=1", Connections: 10, Depth: 1, Args: []string{"-a", "b"}}
	if got, want := base.Key(), "http /x?y=1, 10 connections, depth 1, closed loop, args -a b"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	same := base
	same.Target = "http://127.0.0.1:{port}/x?y=1"
	if same.Key() != base.Key() {
		t.Errorf("another port, another key: %q", same.Key())
	}
	seen := map[string]bool{}
	for _, change := range []func(*PlanKey){
		func(*PlanKey) {}, func(p *PlanKey) { p.Target = "https://127.0.0.1:80/x?y=1" },
		func(p *PlanKey) { p.Target = "framed://127.0.0.1:1" },
		func(p *PlanKey) { p.Connections = 11 }, func(p *PlanKey) { p.Depth = 2 }, func(p *PlanKey) { p.RateHz = 0.5 },
		func(p *PlanKey) { p.RateHz = 1e6 }, func(p *PlanKey) { p.Args = nil }, func(p *PlanKey) { p.More = "POST" },
	} {
		p := base
		change(&p)
		if seen[p.Key()] {
			t.Errorf("%q twice", p.Key())
		}
		seen[p.Key()] = true
	}
}

// Points are runs with one measure, narrowed by what people type.
func TestPoints(t *testing.T) {
	l := mustOpen(t, t.TempDir())
	ids := map[string]string{}
	for _, label := range []string{"one", "two", "three"} {
		d, err := l.BeginRun(Run{Label: label, Package: "example.com/shop/cmd/" + label, Commit: "abc" + label})
		if err == nil && label != "two" {
			err = d.AddMeasures([]MeasureValue{{Name: "cpu", Unit: "ns", Value: float64(len(label))}})
		}
		if err == nil {
			err = d.Finish(Complete, "", nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		ids[label] = d.ID()
	}
	held, err := l.BeginRun(Run{Label: "held"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		f    RunFilter
		want []string
	}{
		{"all", RunFilter{}, []string{held.ID(), ids["three"], ids["two"], ids["one"]}},
		{"newest", RunFilter{Limit: 2}, []string{held.ID(), ids["three"]}},
		{"running", RunFilter{Status: []Status{Running}, Limit: 3}, []string{held.ID()}},
		{"package", RunFilter{Package: "example.com/shop/cmd/two"}, []string{ids["two"]}},
		{"end of a package", RunFilter{Package: "cmd/three"}, []string{ids["three"]}},
		{"not half an element", RunFilter{Package: "hree"}, nil},
		{"start of a commit", RunFilter{Commit: "abct"}, []string{ids["three"], ids["two"]}},
		{"no pattern", RunFilter{Commit: "%"}, nil},
	} {
		points, err := l.Points("cpu", c.f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range points {
			got = append(got, p.Run.ID)
			want := p.Run.Label == "one" || p.Run.Label == "three"
			if (p.Measure != nil) != want || want && p.Measure.Value != float64(len(p.Run.Label)) {
				t.Errorf("%s: %+v", c.name, p)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if names, err := l.MeasureNames(); err != nil || !reflect.DeepEqual(names, []string{"cpu"}) {
		t.Errorf("%v, %v", names, err)
	}
	known, err := l.Known()
	if err != nil || len(known.Packages) != 3 || len(known.Labels) != 4 || known.Targets != nil {
		t.Errorf("%+v, %v", known, err)
	}
}

// What the first page and the whole of a history of 10,000 runs take.
func BenchmarkPoints(b *testing.B) {
	dir := b.TempDir()
	l, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	fillHistory(b, l, 10_000)
	for _, limit := range []int{50, 0} {
		for _, pkg := range []string{"", "cmd/server", "cmd/rare"} {
			b.Run(fmt.Sprintf("limit=%d,package=%s", limit, pkg), func(b *testing.B) {
				for b.Loop() {
					r, err := OpenReader(dir)
					if err != nil {
						b.Fatal(err)
					}
					p, err := r.Points("cpu", RunFilter{Package: pkg, Limit: limit})
					if err != nil || len(p) == 0 && pkg != "cmd/rare" {
						b.Fatalf("%d points: %v", len(p), err)
					}
					r.Close()
				}
			})
		}
	}
}

// fillHistory stores n runs with documents of 8 kB, as hone's are.
func fillHistory(b *testing.B, l *Ledger, n int) {
	doc := fmt.Sprintf(`{"x":"%08000d"}`, 1)
	for i := range n {
		d, err := l.BeginRun(Run{Label: ".", Commit: "abc", Plan: "a plan", Machine: "a machine", Doc: []byte(doc),
			Package: fmt.Sprint("example.com/cmd/", []string{"server", "client"}[i%2])})
		if err != nil {
			b.Fatal(err)
		}
		var all []MeasureValue
		for _, name := range []string{"cpu", "rate", "p50", "p90", "p99", "p99.9", "allocs", "bytes"} {
			all = append(all, MeasureValue{Name: name, Unit: "ns", Value: float64(i)})
		}
		if err := errors.Join(d.AddMeasures(all), d.Finish(Complete, "", nil)); err != nil {
			b.Fatal(err)
		}
	}
	if err := writeIndex(l.home, l.known); err != nil {
		b.Fatal(err)
	}
}
