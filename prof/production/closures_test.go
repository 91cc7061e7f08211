package production

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
)

// closuresOf is a profile of closures, each given as name:first line:what it calls, with 100 samples each; other stacks
// have one.
func closuresOf(file string, closures ...string) prof.Capture {
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

// Handlers that are closures of one function are functions to cover: what production spends in one, the load does not
// exercise in another. Production runs the version before, in which they have other lines and numbers.
func TestCoverTellsHandlersApart(t *testing.T) {
	b := proftest.BuildCPU()
	b.Ticks(200, "w.Find@w.go:1 < main.main.func1@main.go:11:10")
	b.Ticks(500, "w.Rank@w.go:1 < main.main.func2@main.go:21:20")
	b.Ticks(300, "w.Send@w.go:1 < main.main.func3@main.go:31:30")
	production := capturetest.CPU(b, 0)
	b = proftest.BuildCPU()
	b.Ticks(800, "w.Find@w.go:1 < main.main.func2@main.go:24:23")
	b.Ticks(200, "w.Send@w.go:1 < main.main.func4@main.go:44:43")
	b.Ticks(30, "w.New@w.go:1 < main.main.func1@main.go:14:13")
	c := coverOf(t, production, capturetest.CPU(b, 0), Options{})
	if c.ByFunction.Observed < 37 || c.ByFunction.Observed > 41 {
		t.Errorf("observed %v, want 20 and 20 percent of two handlers", c.ByFunction.Observed)
	}
	if missing := c.Missing(0); len(missing) == 0 || missing[0].Production != 50 || missing[0].Run != 0 {
		t.Errorf("missing %+v, want the handler that ranks", missing)
	}
}

// A finding has the name of the run; production may have another one for the closure.
func TestSharesOfClosures(t *testing.T) {
	production := closuresOf("main.go", "main.main.func1:10:w.Find", "main.main.func2:20:w.Rank",
		"main.main.func3:30:w.Rank", "main.main.func4:40:w.Send")
	run := closuresOf("main.go", "main.main.func1:10:w.New", "main.main.func2:20:w.Find",
		"main.main.func3:30:w.Rank", "main.main.func4:40:w.Rank", "main.main.func5:50:w.Send")
	inProduction, inRun, err := NewShares([]prof.Capture{production}, []prof.Capture{run})
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
