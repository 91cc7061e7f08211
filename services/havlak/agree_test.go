package havlak_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/services/havlak"
)

// final is what the programs in C++ are held against.
var final = havlak.Stages[len(havlak.Stages)-1]

// find runs a stage on g. Every stage is called twice, since data of a first call must not
// show in a second one.
func find(s havlak.Stage, g havlak.Graph) havlak.Forest {
	finder := s.New(g)
	finder.Find()
	finder.Find()
	return finder.Forest()
}

func text(f havlak.Forest) string {
	var b strings.Builder
	f.WriteTo(&b)
	return b.String()
}

// firstDifference describes how two forests differ, or is empty.
func firstDifference(got, want havlak.Forest) string {
	if slices.Equal(got.Loops, want.Loops) && slices.Equal(got.Inner, want.Inner) {
		return ""
	}
	return fmt.Sprintf("got\n%s%v\nwant\n%s%v", text(got), got.Inner, text(want), want.Inner)
}

// byHand are graphs small enough to see their loops.
var byHand = []struct {
	name string
	g    havlak.Graph
	want string
}{
	{"no loop", havlak.Warmup(), ""},
	{"one node", havlak.Graph{Nodes: 1}, ""},
	{"itself", havlak.Graph{Nodes: 2, Edges: []havlak.Edge{{0, 1}, {1, 1}}}, "loop 1 in - reducible: 1\n"},
	{"the entry", havlak.Graph{Nodes: 2, Edges: []havlak.Edge{{0, 1}, {1, 0}}}, "loop 0 in - reducible: 0 1\n"},
	{
		"a self-edge in a loop", havlak.Graph{Nodes: 4, Edges: []havlak.Edge{{0, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 3}}},
		"loop 1 in - reducible: 1\nloop 2 in 1 reducible: 2\n",
	},
	{
		"two entries", havlak.Graph{Nodes: 3, Edges: []havlak.Edge{{0, 1}, {0, 2}, {1, 2}, {2, 1}}},
		"loop 1 in - irreducible: 1 2\n",
	},
	{
		"two entries, the other first", havlak.Graph{Nodes: 3, Edges: []havlak.Edge{{0, 2}, {0, 1}, {1, 2}, {2, 1}}},
		"loop 2 in - irreducible: 2 1\n",
	},
	{
		"entered twice within a loop", havlak.Graph{Nodes: 4, Edges: []havlak.Edge{{0, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 2}, {3, 1}}},
		"loop 1 in - reducible: 1\nloop 2 in 1 irreducible: 2 3\n",
	},
	{
		// The edge 0 -> 3 enters the inner loop and so the outer one, beside both headers.
		"entered twice through two loops", havlak.Graph{Nodes: 4, Edges: []havlak.Edge{{0, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 1}, {0, 3}}},
		"loop 1 in - irreducible: 1\nloop 2 in 1 irreducible: 2 3\n",
	},
	{
		"edges from what is never reached", havlak.Graph{Nodes: 5, Edges: []havlak.Edge{{0, 1}, {1, 2}, {2, 1}, {3, 2}, {4, 3}, {3, 4}}},
		"loop 1 in - reducible: 1 2\n",
	},
	{
		"edges given twice", havlak.Graph{Nodes: 3, Edges: []havlak.Edge{{0, 1}, {0, 1}, {1, 2}, {2, 1}, {2, 1}, {1, 1}, {1, 1}}},
		"loop 1 in - reducible: 1 2\n",
	},
}

func TestLoopsThatCanBeSeen(t *testing.T) {
	for _, tc := range byHand {
		if got := text(newReference(tc.g).forest()); got != tc.want {
			t.Errorf("%s, reference:\n%swant\n%s", tc.name, got, tc.want)
		}
		for _, s := range havlak.Stages {
			if got := text(find(s, tc.g)); got != tc.want {
				t.Errorf("%s, %s:\n%swant\n%s", tc.name, s.Name, got, tc.want)
			}
		}
	}
}

// All stages find what the definition says, on small graphs that shrink to the smallest
// that shows a fault.
func TestStagesFindTheLoopsOfTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(1, 12).Draw(t, "nodes")
		node := rapid.Int32Range(0, int32(nodes)-1)
		g := havlak.Graph{Nodes: nodes, Edges: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) havlak.Edge {
			return havlak.Edge{From: node.Draw(t, "from"), To: node.Draw(t, "to")}
		}), 0, 3*nodes).Draw(t, "edges")}
		want := newReference(g).forest()
		for _, s := range havlak.Stages {
			if d := firstDifference(find(s, g), want); d != "" {
				t.Errorf("%s: %s", s.Name, d)
			}
		}
	})
}

// randomGraphs are larger than what rapid draws, sparse and dense, and always the same.
func randomGraphs() []havlak.Graph {
	rng := rand.New(rand.NewPCG(1997, 19))
	var all []havlak.Graph
	for range 60 {
		g := havlak.Graph{Nodes: 1 + rng.IntN(60)}
		for v := range int32(g.Nodes) { // most can be reached, by short steps as in a program
			g.Edges = append(g.Edges, havlak.Edge{From: rng.Int32N(v + 1), To: v})
		}
		for range rng.IntN(2 * g.Nodes) {
			g.Edges = append(g.Edges, havlak.Edge{From: rng.Int32N(int32(g.Nodes)), To: rng.Int32N(int32(g.Nodes))})
		}
		rng.Shuffle(len(g.Edges), func(i, j int) { g.Edges[i], g.Edges[j] = g.Edges[j], g.Edges[i] })
		all = append(all, g)
	}
	return all
}

func TestStagesAgreeOnRandomGraphs(t *testing.T) {
	loops, irreducible, deepest := 0, 0, 0
	for i, g := range randomGraphs() {
		want := newReference(g).forest()
		for _, s := range havlak.Stages {
			if d := firstDifference(find(s, g), want); d != "" {
				t.Errorf("graph %d, %s: %s", i, s.Name, d)
			}
		}
		for _, l := range want.Loops {
			loops++
			if l.Irreducible {
				irreducible++
			}
			depth := 1
			for p := l.Parent; p != havlak.None; p = want.Loops[p].Parent {
				depth++
			}
			deepest = max(deepest, depth)
		}
	}
	if loops < 300 || irreducible < 100 || deepest < 5 {
		t.Errorf("%d loops, %d irreducible, %d deep at most: the graphs try too little", loops, irreducible, deepest)
	}
}
