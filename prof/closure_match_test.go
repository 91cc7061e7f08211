package prof

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// handlers is a profile of closures, each given as name:first line:what it calls, with 100 samples each; other stacks
// have one.
func handlers(file string, closures ...string) Capture {
	b := buildCPU()
	for _, c := range closures {
		if strings.Contains(c, "@") {
			b.ticks(1, c)
			continue
		}
		part := strings.Split(c, ":")
		begins, line := part[1], 0
		fmt.Sscan(begins, &line)
		at := fmt.Sprintf("%s@%s:%d:%s", part[0], file, line+1, begins)
		b.ticks(100, part[2]+"@w.go:1 < "+at+" < net/http.serve@server.go:9")
	}
	return b.cpu(0)
}

// stays is a function of main.go that begins at a line.
func stays(function, line string) string { return "main." + function + "@main.go:" + line + ":" + line }

// The names are those of the newer side.
func TestClosuresAreMatched(t *testing.T) {
	inlined := handlers("main.go", "main.main.Log.func7:40:w.Log", "main.main.Log.func8:40:w.Log")
	for _, c := range []struct {
		name         string
		older, newer Capture
		want         []string // the closures of the older side, in the order of their names in the profile
	}{
		{
			"an edit above them",
			handlers("main.go", "main.main.func1:10:w.Burn", "main.main.func2:20:w.Burn"),
			handlers("main.go", "main.main.func1:13:w.Burn", "main.main.func2:23:w.Burn", "main.main.func3:30:w.Burn"),
			[]string{"main.main.func1", "main.main.func2"},
		}, {
			"one is added before them",
			handlers("main.go", "main.main.func1:10:w.Find", "main.main.func2:20:w.Rank"),
			handlers("main.go", "main.main.func1:10:w.New", "main.main.func2:20:w.Find", "main.main.func3:30:w.Rank"),
			[]string{"main.main.func2", "main.main.func3"},
		}, {
			"one is added before them, and one calls something else now",
			handlers("main.go", "main.main.func1:10:w.Find", "main.main.func2:20:w.Rank", "main.main.func3:30:w.Send"),
			handlers("main.go",
				"main.main.func1:10:w.New", "main.main.func2:20:w.Find", "main.main.func3:30:w.RankFast",
				"main.main.func4:40:w.Send"),
			[]string{"main.main.func2", "main.main.func3", "main.main.func4"},
		}, {
			"one is removed from between",
			handlers("main.go",
				"main.main.func1:10:w.Find", "main.main.func2:20:w.Old", "main.main.func3:30:w.Rank",
				"main.main.func4:40:w.Send"),
			handlers("main.go", "main.main.func1:10:w.Find", "main.main.func2:20:w.Rank", "main.main.func3:30:w.Send"),
			[]string{"main.main.func1", "main.main.func2 (main.go:20)", "main.main.func2", "main.main.func3"},
		}, {
			"one calls something else now",
			handlers("main.go", "main.main.func1:10:w.Find", "main.main.func2:20:w.Rank", "main.main.func3:30:w.Send"),
			handlers("main.go",
				"main.main.func1:10:w.Find", "main.main.func2:20:w.RankFast", "main.main.func3:30:w.Send"),
			[]string{"main.main.func1", "main.main.func2", "main.main.func3"},
		}, {
			"another load of the same program, whose handlers do the same",
			handlers("main.go", "main.main.func2:20:w.Burn"),
			handlers("main.go", "main.main.func1:10:w.Burn"),
			[]string{"main.main.func2"},
		}, {
			"another load, for which handlers call other functions: what is below them stayed where it was",
			handlers("main.go", "main.main.func1:10:w.Miss", "main.main.func2:20:w.Hit", stays("help", "50")),
			handlers("main.go",
				"main.main.func1:10:w.Hit", "main.main.func2:20:w.Send", "main.main.func3:30:w.Hit",
				stays("help", "50")),
			[]string{"main.main.func1", "main.main.func2"},
		}, {
			"profiles without the first lines of functions",
			handlers("main.go", "main.main.func1:0:w.Find", "main.main.func2:0:w.Rank"),
			handlers("main.go", "main.main.func1:0:w.New", "main.main.func2:0:w.Find", "main.main.func3:0:w.Rank"),
			[]string{"main.main.func2", "main.main.func3"},
		}, {
			"copies of a closure are one",
			inlined, handlers("main.go", "main.main.Log.func9:40:w.Log"),
			[]string{"main.main.Log.func9", "main.main.Log.func9"},
		}, {
			"its function was not inlined",
			inlined, handlers("main.go", "main.Log.func1:48:w.Log"),
			[]string{"main.Log.func1", "main.Log.func1"},
		}, {
			"its function is in another package",
			handlers("log.go", "main.main.Log.func7:40:w.Log"), handlers("log.go", "example.com/mw.Log.func1:40:w.Log"),
			[]string{"example.com/mw.Log.func1"},
		}, {
			"closures in closures stay as deep as they are",
			handlers("main.go", "main.main.func1:10:w.Rank", "main.main.func1.1:12:w.Find"),
			handlers("main.go", "main.main.func1:10:w.New", "main.main.func2:20:w.Rank", "main.main.func2.1:22:w.Find"),
			[]string{"main.main.func2", "main.main.func2.1"},
		},
	} {
		m := MatchClosures([]Capture{c.older}, []Capture{c.newer})
		var got []string
		for _, f := range m.Sides[0][0].Profile.Function {
			if _, is := closureOf(f.Name); is {
				got = append(got, f.Name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Handlers that are closures of one function are functions to cover: what production spends in one, the load does not
// exercise in another. Production runs the version before, in which they have other lines and numbers.
func TestCoverTellsHandlersApart(t *testing.T) {
	b := buildCPU()
	b.ticks(200, "w.Find@w.go:1 < main.main.func1@main.go:11:10")
	b.ticks(500, "w.Rank@w.go:1 < main.main.func2@main.go:21:20")
	b.ticks(300, "w.Send@w.go:1 < main.main.func3@main.go:31:30")
	production := b.cpu(0)
	b = buildCPU()
	b.ticks(800, "w.Find@w.go:1 < main.main.func2@main.go:24:23")
	b.ticks(200, "w.Send@w.go:1 < main.main.func4@main.go:44:43")
	b.ticks(30, "w.New@w.go:1 < main.main.func1@main.go:14:13")
	c := coverOf(t, production, b.cpu(0), CoverOptions{})
	if c.ByFunction.Observed < 37 || c.ByFunction.Observed > 41 {
		t.Errorf("observed %v, want 20 and 20 percent of two handlers", c.ByFunction.Observed)
	}
	if missing := c.Missing(0); len(missing) == 0 || missing[0].Production != 50 || missing[0].Run != 0 {
		t.Errorf("missing %+v, want the handler that ranks", missing)
	}
}

// A finding has the name of the run; production may have another one for the closure.
func TestSharesOfClosures(t *testing.T) {
	production := handlers("main.go", "main.main.func1:10:w.Find", "main.main.func2:20:w.Rank",
		"main.main.func3:30:w.Rank", "main.main.func4:40:w.Send")
	run := handlers("main.go", "main.main.func1:10:w.New", "main.main.func2:20:w.Find",
		"main.main.func3:30:w.Rank", "main.main.func4:40:w.Rank", "main.main.func5:50:w.Send")
	inProduction, inRun, err := NewShares([]Capture{production}, []Capture{run})
	if err != nil {
		t.Fatal(err)
	}
	for function, want := range map[string][2]float64{
		"main.main.func1": {0, 0.2}, "main.main.func2": {0.25, 0.2}, "main.main.func5": {0.25, 0.2},
	} {
		if got := [2]float64{inProduction.Of(function), inRun.Of(function)}; got != want {
			t.Errorf("%s has %v, want %v", function, got, want)
		}
	}
}
