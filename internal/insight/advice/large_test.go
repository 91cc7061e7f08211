package advice

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
)

// What is large, and may be the work that the program is there for, is no finding: it is in the list of what is large.
func TestWhatIsOnlyLargeIsNoFinding(t *testing.T) {
	const parse, sum, root = user + ".parse@/src/a.go:4", user + ".sum@/src/a.go:9", "net/http.(*conn).serve"
	v := cpuView(t, map[string]string{"a.go": "package m\n"}, map[string]int64{
		"strconv.ParseInt < " + parse + " < " + root:                          340,
		"math.Pow < " + sum + " < " + root:                                    90,
		sum + " < " + root:                                                    310,
		"fmt.Sprintf < " + user + ".log@/src/a.go:20 < " + root:               120,
		"syscall.Syscall < syscall.write < net.(*conn).Write < " + root:       140,
		"regexp.(*Regexp).MatchString < " + user + ".x@/src/b.go:1 < " + root: 0,
	})
	f := find(t, v)
	if got, want := listed(f.Findings), "fmt-hot at a.go:20 m.log"; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
	want := []Large{
		{Place: f.Large[0].Place, What: "strconv.ParseInt", Measure: CPU, Share: 0.34},
		{Place: f.Large[1].Place, Measure: CPU, Share: 0.31},
	}
	if !reflect.DeepEqual(f.Large, want) || f.Large[0].Place.Line != 4 || f.Large[1].Place.Line != 9 {
		t.Errorf("large: %+v, want %+v", f.Large, want)
	}
}

// A finding says what its line takes in all: the list names the other lines of the function.
func TestTheLineOfAFindingIsNotInTheList(t *testing.T) {
	const page, policy, root = user + ".page@/src/a.go:4", user + ".page@/src/a.go:5", "net/http.(*conn).serve"
	v := cpuView(t, map[string]string{"a.go": "package m\n"}, map[string]int64{
		"regexp.compile < regexp.MustCompile < " + policy + " < " + root:      300,
		"example.org/html.Clean < " + policy + " < " + root:                   300,
		"example.org/md.parse < example.org/md.Page < " + page + " < " + root: 200,
		"runtime.mcall": 200,
	})
	f := find(t, v)
	if len(f.Findings) != 1 || len(f.Large) != 1 || f.Large[0].Place.Line != 4 || f.Large[0].What != "md.Page" ||
		f.Large[0].Share != 0.2 {
		t.Errorf("found %s, large %+v", listed(f.Findings), f.Large)
	}
}

// A backend that is slow is no defect of the program that asks it, and the wait is in the list.
func TestALongWaitIsNoFinding(t *testing.T) {
	v := &facts.View{Waits: &walltime.Digest{Cohorts: []walltime.Cohort{{
		Name: walltime.TypicalName, Requests: 50, LatencyNanos: 1e6,
		Parts: []walltime.Part{{Label: walltime.Label{Call: walltime.Call{State: walltime.Network,
			Library: "net.(*conn).Read", Outer: "example.com/api.(*Client).Quote", Function: user + ".quote", File: "a.go",
			Line: 12}}, Nanos: 0.8e6}},
	}}}}
	f := find(t, v)
	if len(f.Findings) != 0 || len(f.Large) != 1 || f.Large[0].Share != 0.8 || f.Large[0].Measure != Latency ||
		!strings.HasPrefix(f.Large[0].What, "network") || f.Large[0].Place.Line != 12 {
		t.Errorf("findings %s, large %+v", listed(f.Findings), f.Large)
	}
}

// A request that waits for the answer to what it has handed over waits for no slot: the list says what the goroutine
// does that answers. One that waits for what others have is still a pool that is too small.
func TestAReplyIsNoPool(t *testing.T) {
	const text = "package m\n\nfunc push(jobs chan job, slots chan int) {\n\terrs := make(chan error, 1)\n" +
		"\tjobs <- job{errs}\n\tfor range errs {\n\t}\n\t<-slots\n}\n"
	for line, c := range map[int]struct {
		behind *walltime.Call
		found  string
		what   string
	}{
		6: {&walltime.Call{State: walltime.Channel, Function: user + ".check", File: "/src/a.go", Line: 20}, "",
			"channel, behind a wait in m.check a.go:20"},
		7: {nil, "", "channel, for a goroutine of the program"},
		8: {&walltime.Call{State: walltime.Channel, Function: user + ".check", File: "/src/a.go", Line: 20}, "small-pool",
			""},
	} {
		v := cpuView(t, map[string]string{"a.go": text}, map[string]int64{"runtime.mcall": 100})
		v.Waits = &walltime.Digest{Cohorts: []walltime.Cohort{{
			Name: walltime.TypicalName, Requests: 50, LatencyNanos: 1e6,
			Parts: []walltime.Part{{Label: walltime.Label{Call: walltime.Call{State: walltime.Channel,
				Function: user + ".push", File: "/src/a.go", Line: line}, Behind: c.behind}, Nanos: 0.8e6}},
		}}}
		f := find(t, v)
		found, what := "", ""
		if len(f.Findings) > 0 {
			found = f.Findings[0].Rule
		}
		if len(f.Large) > 0 {
			what = f.Large[0].What
		}
		if found != c.found || what != c.what {
			t.Errorf("line %d: found %q, large %q", line, found, what)
		}
	}
}
