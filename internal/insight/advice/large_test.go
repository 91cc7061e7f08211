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
