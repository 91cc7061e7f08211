package diff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
	"github.com/gohone/hone/prof/symbol"
)

// handlers is a profile of closures, each given as name:first line:what it calls, with 100 samples each; other stacks
// have one.
func handlers(file string, closures ...string) prof.Capture {
	b := proftest.BuildCPU()
	for _, c := range closures {
		if strings.Contains(c, "@") {
			b.Ticks(1, c)
			continue
		}
		part := strings.Split(c, ":")
		begins, line := part[1], 0
		fmt.Sscan(begins, &line)
		at := fmt.Sprintf("%s@%s:%d:%s", part[0], file, line+1, begins)
		b.Ticks(100, part[2]+"@w.go:1 < "+at+" < net/http.serve@server.go:9")
	}
	return capturetest.CPU(b, 0)
}

// stays is a function of main.go that begins at a line.
func stays(function, line string) string { return "main." + function + "@main.go:" + line + ":" + line }

// The names are those of the newer side.
func TestClosuresAreMatched(t *testing.T) {
	inlined := handlers("main.go", "main.main.Log.func7:40:w.Log", "main.main.Log.func8:40:w.Log")
	for _, c := range []struct {
		name         string
		older, newer prof.Capture
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
		m := MatchClosures([]prof.Capture{c.older}, []prof.Capture{c.newer})
		var got []string
		for _, f := range m.Sides[0][0].Profile.Function {
			if _, is := symbol.ClosureOf(f.Name); is {
				got = append(got, f.Name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A closure more makes func2 of func1 and gowrap2 of gowrap1, and another release names
// inner closures differently: the new closure alone is called added.
func TestDiffIsNotMisledByTheNumbersOfClosures(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	a := program{"other": 30,
		"find < main.serve.func1": 20, "rank < main.serve.func2.1": 20,
		"send < main.serve.gowrap1": 20, "load < main.glob..func1": 20,
	}
	b := program{"other": 30,
		"check < main.serve.func1": 15, "find < main.serve.func2": 20, "rank < main.serve.func3.1": 20,
		"send < main.serve.gowrap2": 20, "load < main.init.func1": 20,
	}
	d := diffOf(t, a.captures(rng, 5, 10_000, 0), b.captures(rng, 5, 10_000, 0), Options{})
	var changed []string
	for _, r := range d.Rows {
		if r.Cum.Word != Same {
			changed = append(changed, r.Function+" "+string(r.Cum.Word))
		}
	}
	slices.Sort(changed)
	want := []string{"main.check added", "main.main dearer", "main.serve dearer", "main.serve.func1 added"}
	if !slices.Equal(changed, want) {
		t.Errorf("%q, want %q", changed, want)
	}
}
