package diff

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
)

const (
	marks   = "runtime.gcDrain < runtime.gcBgMarkWorker"
	packs   = "compress/flate.NewWriter < main.pack@/s/pack.go:3"
	answers = netWrite + " < net/http.(*conn).serve@/go/net/http/server.go:2074"
)

// netWrite is a write to a connection.
const netWrite = "internal/runtime/syscall.Syscall6 < syscall.write < internal/poll.(*FD).Write < net.(*conn).Write"

// A line of the user's comes before what the runtime and a server do by themselves, as long as that is not more than
// all of the user's lines.
func TestTheUsersLineIsTheFirstCause(t *testing.T) {
	base := func() *proftest.Builder { return proftest.BuildCPU().Ticks(2000, "main.keep@/s/keep.go:1") }
	for name, c := range map[string]struct {
		pack, answer, mark int64
		allocates          bool
		first              string
	}{
		"less of the user's than of the server's": {400, 600, 0, false, "server.go:2074"},
		"more of the user's":                      {500, 400, 0, false, "pack.go:3"},
		"the collector by itself":                 {300, 0, 900, false, "garbage collector"},
		"the collector of what is allocated":      {300, 0, 900, true, "pack.go:3"},
		"allocations and the server":              {300, 600, 900, true, "server.go:2074"},
	} {
		a := capturetest.CPU(base().Ticks(c.pack, packs).Ticks(c.answer, answers).Ticks(c.mark, marks), 10)
		for _, lower := range []bool{true, false} {
			from, to := a, capturetest.CPU(base(), 10)
			if !lower {
				from, to = to, from
			}
			e := whyOf(t, []prof.Capture{from}, []prof.Capture{to}, lower, WhyOptions{AllocatesToo: c.allocates})
			if len(e.Changes) == 0 || !strings.Contains(e.Changes[0].Place(), c.first) {
				t.Errorf("%s, lower %v: the first is not %s:\n%s", name, lower, c.first, shares(e))
			}
		}
	}
}

// A clause says what became of a place, in the words of a person.
func TestChangeInWords(t *testing.T) {
	at := prof.Site{What: "regexp.MustCompile", Function: "example.com/shop/cmd/server.(*shop).search", File: "/s/main.go",
		Line: 53}
	own := prof.Site{What: "main.tag", Function: "main.tag", File: "/s/main.go", Line: 86}
	for want, c := range map[string]Change{
		"regexp.MustCompile in server.(*shop).search (cmd/server/main.go:53) is gone": {
			Site: at, Path: "cmd/server/main.go", A: 100, B: 4, Delta: -96,
		},
		"regexp.MustCompile in server.(*shop).search (main.go:53) takes less": {Site: at, A: 100, B: 6, Delta: -94},
		"main.tag (main.go:86) is new":                                        {Site: own, B: 9, Delta: 9},
		"main.tag with what it calls (main.go:86) takes more": {Site: own, Calls: true, A: 5, B: 9,
			Delta: 4},
		"garbage collector takes less": {Site: prof.Site{What: "garbage collector (runtime.gcBgMarkWorker)"}, A: 9, B: 5,
			Delta: -4},
		"system call of net.(*conn).Read in main.tag (main.go:86) is gone": {
			Site: prof.Site{What: "Syscall under net.(*conn).Read", Function: "main.tag", File: "/s/main.go", Line: 86},
			A:    9, Delta: -9,
		},
	} {
		if got := c.InWords("takes"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	made := Change{Site: own, A: 1, B: 9, Delta: 8}
	made.What = "allocation (runtime.mallocgc)"
	if got := made.InWords("allocates"); got != "main.tag (main.go:86) allocates more" {
		t.Errorf("got %q", got)
	}
}
