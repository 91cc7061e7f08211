package havlak_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/services/havlak"
)

func TestReadGraph(t *testing.T) {
	g, err := havlak.ReadGraph(strings.NewReader("# a loop\n\nnodes 3\n0 1\n  1\t2\n2 1"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []havlak.Edge{{0, 1}, {1, 2}, {2, 1}}; g.Nodes != 3 || !slices.Equal(g.Edges, want) {
		t.Errorf("%+v", g)
	}
}

func TestBadGraphsAreRefusedWithTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                             `no line "nodes N"`,
		"# nothing\n":                  `no line "nodes N"`,
		"0 1\n":                        `line 1: "0 1", want "nodes N"`,
		"nodes 0\n":                    `line 1: "nodes 0"`,
		"nodes -1\n":                   `line 1: `,
		"nodes 1048577\n":              "1048576",
		"nodes 2\n0\n":                 "line 2: 1 words, want two",
		"nodes 2\n0 1 2\n":             "line 2: 3 words",
		"nodes 2\n\n0 2\n":             `line 3: "2" is no node, want 0 to 1`,
		"nodes 2\n-1 0\n":              `line 2: "-1" is no node`,
		"nodes 2\n4294967296 0\n":      `line 2: "4294967296" is no node`,
		"nodes 2\n0 x\n":               `line 2: "x" is no node`,
		strings.Repeat("a", 1<<17):     "token too long",
		"nodes 2\nnodes 2\n":           `"nodes" is no node`,
		"nodes 99999999999999999999\n": `line 1: `,
	} {
		if g, err := havlak.ReadGraph(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %+v, %v, want %q", text, g, err, want)
		}
	}
}

func TestValidateSaysAllThatIsWrong(t *testing.T) {
	err := havlak.Graph{Edges: []havlak.Edge{{0, 5}}}.Validate()
	if err == nil || !strings.Contains(err.Error(), "0 nodes") || !strings.Contains(err.Error(), "edge 0 goes from node 0 to 5") {
		t.Errorf("%v", err)
	}
	if err := (havlak.Graph{Nodes: 2, Edges: []havlak.Edge{{0, 1}}}).Validate(); err != nil {
		t.Errorf("%v", err)
	}
}

// FuzzReadGraph: what is read is valid, comes back the same when written and read again,
// and has the same loops in every stage.
func FuzzReadGraph(f *testing.F) {
	f.Add("nodes 3\n0 1\n1 2\n2 1\n")
	f.Add("# two entries\nnodes 3\n0 1\n0 2\n1 2\n2 1\n")
	f.Add("nodes 4\n0 1\n1 2\n2 3\n3 2\n3 1\n0 3\n")
	f.Add("nodes 2\n0 2\n")
	f.Add("nodes 1048576")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := havlak.ReadGraph(strings.NewReader(text))
		if err != nil {
			return
		}
		if err := g.Validate(); err != nil {
			t.Fatalf("read but not valid: %v", err)
		}
		var written bytes.Buffer
		if _, err := g.WriteTo(&written); err != nil {
			t.Fatal(err)
		}
		again, err := havlak.ReadGraph(&written)
		if err != nil || again.Nodes != g.Nodes || !slices.Equal(again.Edges, g.Edges) {
			t.Fatalf("%+v came back as %+v, %v", g, again, err)
		}
		if g.Nodes > 1000 {
			return // the stages are not what is tried here
		}
		want := find(havlak.Stages[0], g)
		for _, s := range havlak.Stages[1:] {
			if d := firstDifference(find(s, g), want); d != "" {
				t.Errorf("%s: %s", s.Name, d)
			}
		}
	})
}
