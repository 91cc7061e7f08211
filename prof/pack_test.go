package prof

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof/symbol"
)

// folded are the sums of a packed profile's values by stack, "main;work:3;leaf:9", of one column of Self.
func (p *Packed) folded(values []int64) map[string]int64 {
	all := map[string]int64{}
	var stack []string
	for i, depth := range p.Depth {
		name := ""
		if f := p.Function[i]; f >= 0 {
			name = fmt.Sprintf("%s:%d", p.Strings[p.NameOf[f]], p.Line[i])
		}
		stack = append(stack[:depth], name)
		if values[i] != 0 {
			all[strings.Join(stack[1:], ";")] += values[i]
		}
	}
	return all
}

// foldedOf is the same of the profile itself.
func foldedOf(p *profile.Profile, column int) map[string]int64 {
	all := map[string]int64{}
	var frames []symbol.Frame
	for _, s := range p.Sample {
		if frames = symbol.AppendFrames(frames[:0], s); symbol.IsObserver(frames) || s.Value[column] == 0 {
			continue
		}
		var stack []string
		for _, f := range slices.Backward(frames) {
			stack = append(stack, fmt.Sprintf("%s:%d", f.Function, f.Line))
		}
		all[strings.Join(stack, ";")] += s.Value[column]
	}
	return all
}

func TestPackedProfilesHaveEveryStack(t *testing.T) {
	for _, file := range []string{"work.cpu.pb.gz", "raw.cpu.pb.gz", "after.allocs.pb.gz", "after.mutex.pb.gz"} {
		_, kind, _ := strings.Cut(strings.TrimSuffix(file, ".pb.gz"), ".")
		c := Capture{Kind: kind, Profile: parseFile(t, file)}
		p, err := Pack(c, PackOptions{})
		if err != nil {
			t.Fatal(file, err)
		}
		for i := range p.Types {
			have, want := p.folded(p.Self[i]), foldedOf(c.Profile, i)
			if len(have) != len(want) {
				t.Errorf("%s %s: %d stacks, want %d", file, p.Types[i].Name, len(have), len(want))
			}
			for stack, v := range want {
				if have[stack] != v {
					t.Errorf("%s %s: %d at %s, want %d", file, p.Types[i].Name, have[stack], stack, v)
				}
			}
		}
		checkShape(t, p)
	}
}

// checkShape checks what a reader of the columns relies on.
func checkShape(t *testing.T, p *Packed) {
	t.Helper()
	n := len(p.Depth)
	if len(p.Function) != n || len(p.Line) != n || len(p.Inlined) != n || len(p.Self) != len(p.Types) {
		t.Fatalf("columns of %d, %d, %d, %d", n, len(p.Function), len(p.Line), len(p.Inlined))
	}
	if f := len(p.NameOf); len(p.FileOf) != f || len(p.PackageOf) != f || len(p.OriginOf) != f {
		t.Fatalf("functions of %d, %d, %d, %d", f, len(p.FileOf), len(p.PackageOf), len(p.OriginOf))
	}
	for i, d := range p.Depth {
		if (d == 0) != (i == 0) || i > 0 && d > p.Depth[i-1]+1 {
			t.Fatalf("node %d has depth %d after %d", i, d, p.Depth[max(0, i-1)])
		}
	}
	for i := range p.Self {
		if len(p.Self[i]) != n {
			t.Fatalf("%d values of type %d, want %d", len(p.Self[i]), i, n)
		}
	}
}

func sum(values []int64) (s int64) {
	for _, v := range values {
		s += v
	}
	return s
}

// The collector's work moves to those who allocate: none is lost, and none is left at the collector.
func TestBlamedValuesAddUp(t *testing.T) {
	cpu, allocs := Capture{Kind: "cpu", Profile: parseFile(t, "work.cpu.pb.gz")},
		Capture{Kind: "allocs", Profile: parseFile(t, "after.allocs.pb.gz")}
	p, err := Pack(cpu, PackOptions{Allocs: &allocs})
	if err != nil {
		t.Fatal(err)
	}
	column := slices.IndexFunc(p.Types, func(t PackedType) bool { return t.Default })
	if got, want := sum(p.Blamed), sum(p.Self[column]); got != want || want == 0 {
		t.Errorf("blamed %d, want %d", got, want)
	}
	blame, err := NewBlame(cpu, allocs, nil, BlameOptions{Basis: Raw})
	if err != nil {
		t.Fatal(err)
	}
	handedOut := int64(0)
	for stack, v := range p.folded(p.Blamed) {
		if strings.Contains(stack, BlamedFrame) {
			handedOut += v
		}
		if strings.Contains(stack, "runtime.gcBgMarkWorker") {
			t.Errorf("the collector keeps %d at %s", v, stack)
		}
	}
	if want := blame.Collector.background(); want == 0 || float64(handedOut) != want {
		t.Errorf("handed out %d, want %v as hone profile blame says", handedOut, want)
	}
}

// A tree that is too large loses its lightest branches; their values stay in their callers.
func TestPackedProfilesAreBounded(t *testing.T) {
	c := Capture{Kind: "cpu", Profile: parseFile(t, "work.cpu.pb.gz")}
	whole, err := Pack(c, PackOptions{})
	if err != nil {
		t.Fatal(err)
	}
	small, err := Pack(c, PackOptions{MaxNodes: 20})
	if err != nil {
		t.Fatal(err)
	}
	if len(small.Depth) != 21 || small.Dropped != len(whole.Depth)-len(small.Depth) {
		t.Errorf("%d nodes and %d dropped of %d", len(small.Depth), small.Dropped, len(whole.Depth))
	}
	for i := range small.Self {
		if sum(small.Self[i]) != sum(whole.Self[i]) {
			t.Errorf("%s: %d, want %d", small.Types[i].Name, sum(small.Self[i]), sum(whole.Self[i]))
		}
	}
	checkShape(t, small)
}

func TestHostileProfilesArePacked(t *testing.T) {
	for _, b := range proftest.Bombs() {
		p, err := Parse(bytes.NewReader(b.File()), Limits{})
		if err != nil {
			continue
		}
		packed, err := Pack(Capture{Kind: "cpu", Profile: p}, PackOptions{MaxNodes: 10_000})
		if err != nil {
			t.Errorf("%s: %v", b.Name, err)
			continue
		}
		checkShape(t, packed)
		if text, err := json.Marshal(packed); err != nil || len(text) > 64<<20 {
			t.Errorf("%s: %d bytes of JSON, %v", b.Name, len(text), err)
		}
	}
}

// A filter leaves its samples in a packed profile, and the profile itself as it is.
func TestSelectedProfilesArePacked(t *testing.T) {
	p := proftest.BuildCPU().Ticks(30, "main.f < main.main").Ticks(10, "main.g < main.main").P
	left, err := Selection{Focus: expression("main.g")}.Select(p)
	if err != nil {
		t.Fatal(err)
	}
	hidden, err := Selection{Hide: expression("main.main")}.Select(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what   string
		p      *profile.Profile
		total  int64 // ms of CPU time
		stacks int
	}{{"whole", p, 400, 2}, {"focus", left, 100, 1}, {"hide", hidden, 400, 2}} {
		packed, err := Pack(Capture{Kind: "cpu", Profile: c.p}, PackOptions{})
		if err != nil {
			t.Fatal(err)
		}
		stacks := packed.folded(packed.Self[1])
		if got := sum(packed.Self[1]) / 1e6; got != c.total || len(stacks) != c.stacks {
			t.Errorf("%s: %d ms in %d stacks, want %d in %d", c.what, got, len(stacks), c.total, c.stacks)
		}
		for stack := range stacks {
			if c.what == "hide" && strings.Contains(stack, "main.main") {
				t.Errorf("hidden, and there: %s", stack)
			}
		}
	}
}
