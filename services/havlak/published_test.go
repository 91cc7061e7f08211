package havlak_test

import (
	"slices"
	"testing"

	"github.com/gohone/hone/services/havlak"
)

// The graph is the published one: with its root the published program counts 76,001 loops.
// The stages agree on it loop by loop, and its nesting is that of the published figure: an
// outer loop around 25 figures, each a loop around two.
func TestStagesAgreeOnThePublishedGraph(t *testing.T) {
	g, err := havlak.Published(havlak.PublishedLoops)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Validate(); err != nil {
		t.Fatal(err)
	}
	var want havlak.Forest
	for i, s := range havlak.Stages {
		finder := s.New(g)
		finder.Find()
		got := finder.Forest()
		if i == 0 {
			want = got
		}
		if !slices.Equal(got.Loops, want.Loops) || !slices.Equal(got.Inner, want.Inner) {
			t.Errorf("%s and %s differ", s.Name, havlak.Stages[0].Name)
		}
		if n := len(got.Loops) + 1; n != 76_001 {
			t.Errorf("%s: %d loops with the root, want 76001", s.Name, n)
		}
		if got.Digest() != want.Digest() {
			t.Errorf("%s: digest %x, want %x", s.Name, got.Digest(), want.Digest())
		}
	}
	var atDepth [4]int
	for _, l := range want.Loops {
		depth := 1
		for p := l.Parent; p != havlak.None; p = want.Loops[p].Parent {
			depth++
		}
		atDepth[depth]++
		if l.Irreducible {
			t.Fatalf("loop %d is irreducible: the published graph has no such loop", l.Header)
		}
	}
	if atDepth != [4]int{0, 1000, 25_000, 50_000} {
		t.Errorf("%v loops at depths 0 to 3", atDepth)
	}
}

func TestPublishedTakesWholeTrees(t *testing.T) {
	for _, loops := range []int{0, -havlak.LoopsPerTree, 1, havlak.PublishedLoops + 1, 1 << 40 / havlak.LoopsPerTree * havlak.LoopsPerTree} {
		if g, err := havlak.Published(loops); err == nil {
			t.Errorf("%d loops: a graph of %d nodes, want an error", loops, g.Nodes)
		}
	}
	g, err := havlak.Published(2 * havlak.LoopsPerTree)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Edges) != cap(g.Edges) {
		t.Errorf("%d edges in room for %d: the room was counted wrong", len(g.Edges), cap(g.Edges))
	}
	if f := find(final, g); len(f.Loops) != 2*havlak.LoopsPerTree {
		t.Errorf("%d loops", len(f.Loops))
	}
}

// slices and final find loops in memory that they have.
func TestReusedDataAreNotMadeAnew(t *testing.T) {
	g, err := havlak.Published(havlak.LoopsPerTree)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range havlak.Stages {
		if s.Name == "first" {
			continue
		}
		finder := s.New(g)
		if allocs := testing.AllocsPerRun(5, finder.Find); allocs != 0 {
			t.Errorf("%s: %v allocations per call once warm, want 0", s.Name, allocs)
		}
	}
}
