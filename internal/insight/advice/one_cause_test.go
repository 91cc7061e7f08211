package advice

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
)

// pages parses a template for each request in a helper, and has another one that is parsed once.
const pages = `package m

import "html/template"

func page() *template.Template {
	return template.Must(template.ParseFiles("page.html")) // parse
}

func show(w writer) {
	page().Execute(w, 1) // execute
}

func list(w writer) {
	kept.Execute(w, 1) // kept
}
`

// A template that is parsed for each request is escaped for each request, too, where it is executed: both are one
// finding with one sum, at the line that parses. What a template that is kept does is no part of it.
func TestWhatFallsDueAtFirstUseIsOfTheSameCause(t *testing.T) {
	files := map[string]string{"a.go": pages}
	at := func(function, mark string) string {
		return user + "." + function + "@/src/a.go:" + strconv.FormatInt(lineOf(t, pages, mark), 10)
	}
	const root = " < net/http.(*conn).serve"
	parse := "text/template/parse.Parse < html/template.ParseFiles < " + at("page", "parse") + " < " +
		at("show", "execute") + root
	escape := "html/template.(*escaper).escape < html/template.(*Template).escape < html/template.(*Template).Execute < " +
		at("show", "execute") + root
	executes := "text/template.(*Template).execute < html/template.(*Template).Execute < " + at("list", "kept") + root
	f := find(t, cpuView(t, files, map[string]int64{parse: 240, escape: 320, executes: 200, "runtime.mcall": 240}))
	if len(f.Findings) != 1 {
		t.Fatalf("%s, want one finding", listed(f.Findings))
	}
	one := f.Findings[0]
	if one.Rule != "compile-per-call" || one.Place.Line != lineOf(t, pages, "parse") || math.Abs(one.Cost-0.56) > 1e-9 ||
		one.GainWord != About || one.GainLow > 0.56 || one.GainHigh < 0.56 {
		t.Errorf("%+v, want 56 %% at the line that parses", one)
	}
	if len(f.Large) != 1 || f.Large[0].Place.Function != user+".list" {
		t.Errorf("large: %+v, want what the kept template does", f.Large)
	}
	kept := find(t, cpuView(t, files, map[string]int64{executes: 600, "runtime.mcall": 400}))
	if len(kept.Findings) != 0 {
		t.Errorf("a template that is kept: %s", listed(kept.Findings))
	}
}

// A helper that loads a time zone is called for the office of all rows and for the place of each: one finding has both.
func TestOneCallOfTwoCallersIsOneCause(t *testing.T) {
	const text = `package m

import "time"

func clock(zone string) *time.Location {
	loc, _ := time.LoadLocation(zone) // load
	return loc
}

func rows(office string, zones []string) {
	for _, zone := range zones {
		use(clock(office)) // same
		use(clock(zone)) // each
	}
}

func use(*time.Location) {}
`
	at := func(function, mark string) string {
		return user + "." + function + "@/src/a.go:" + strconv.FormatInt(lineOf(t, text, mark), 10)
	}
	load := "time.loadTzinfo < time.LoadLocation < " + at("clock", "load") + " < "
	f := find(t, cpuView(t, map[string]string{"a.go": text}, map[string]int64{
		load + at("rows", "same") + " < net/http.(*conn).serve": 450,
		load + at("rows", "each") + " < net/http.(*conn).serve": 350, "runtime.mcall": 200}))
	if len(f.Findings) != 1 || math.Abs(f.Findings[0].Cost-0.8) > 1e-9 {
		t.Errorf("%s, want one finding of 80 %%", listed(f.Findings))
	}
}

// waitView is a view in which typical requests, of a millisecond, wait so long.
func waitView(share float64, own walltime.Call, behind *walltime.Call) *facts.View {
	return &facts.View{Waits: &walltime.Digest{Cohorts: []walltime.Cohort{{
		Name: walltime.TypicalName, Requests: 100, LatencyNanos: 1e6,
		Parts: []walltime.Part{{Label: walltime.Label{Call: own, Behind: behind}, Nanos: share * 1e6}},
	}}}}
}

// A wait is for a pool only where others have what is waited for: a backend that is slow to answer or to be found, and
// a limiter that keeps a rate, are none.
func TestAWaitForABackendIsNotForAPool(t *testing.T) {
	const text = `package m

import (
	"net/http"
	"time"
)

var slots = make(chan bool, 2)

func ask() {
	slots <- true // slot
	get() // get
	time.Sleep(time.Until(next)) // pace
	time.Sleep(time.Millisecond) // poll
}
`
	limited := text + "\nvar transport = &http.Transport{MaxConnsPerHost: 2}\n"
	call := func(mark string, state walltime.State, library, outer string) walltime.Call {
		return walltime.Call{State: state, Library: library, Outer: outer, Function: user + ".ask", File: "/src/a.go",
			Line: int(lineOf(t, text, mark))}
	}
	other := walltime.Call{State: walltime.Network, Function: user + ".other", File: "/src/a.go", Line: 3}
	const client = "net/http.(*Client).Get"
	for name, c := range map[string]struct {
		text   string
		own    walltime.Call
		behind *walltime.Call
		want   string
	}{
		"slow backend":     {text, call("get", walltime.Channel, "net/http.(*persistConn).roundTrip", client), nil, ""},
		"slow to dial":     {text, call("get", walltime.Channel, transportPool, client), nil, ""},
		"few connections":  {limited, call("get", walltime.Channel, transportPool, client), nil, "small-pool"},
		"slow to be found": {text, call("get", walltime.Channel, "net.(*Resolver).lookupIPAddr", client), &other, ""},
		"slots":            {text, call("slot", walltime.Channel, "", ""), &other, "small-pool"},
		"a limiter of a library": {text, call("get", walltime.Sleep, "golang.org/x/time/rate.(*Limiter).wait",
			"golang.org/x/time/rate.(*Limiter).Wait"), nil, "rate-limited"},
		"until a time": {text, call("pace", walltime.Sleep, "time.Sleep", "time.Sleep"), nil, "rate-limited"},
		"polling":      {text, call("poll", walltime.Sleep, "time.Sleep", "time.Sleep"), nil, "sleep-in-path"},
	} {
		v := waitView(0.6, c.own, c.behind)
		v.Code.Module, v.Code.MainPackage = user, user
		v.ReadFrom(map[string][]byte{"/src/a.go": []byte(c.text)})
		named := cpuView(t, map[string]string{"a.go": c.text}, map[string]int64{user + ".ask@/src/a.go:11": 10,
			"runtime.mcall": 990})
		v.Captures = named.Captures
		said := ""
		for _, f := range find(t, v).Findings {
			said += f.Rule
		}
		if said != c.want {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
	}
}

// Who holds a lock may itself stand in the queue for it: what is named is what the first in the queue does. The gain of
// a lock is not known, and that of a sleep is a bound, unless the trace shows requests that the run does not have.
func TestTheHolderAndTheWordOfAGain(t *testing.T) {
	lock := walltime.Call{State: walltime.Lock, Library: "sync.(*Mutex).Lock", Outer: "sync.(*Mutex).Lock",
		Function: user + ".get", File: "a.go", Line: 9}
	queued := lock
	v := waitView(0.5, lock, &queued)
	c := &v.Waits.Cohorts[0]
	c.Parts = append(c.Parts, walltime.Part{Nanos: 3e5, Label: walltime.Label{Call: lock, Behind: &walltime.Call{
		State: walltime.Network, Outer: "net/http.Get", Function: user + ".get", File: "a.go", Line: 11}}})
	all := find(t, v).Findings
	if len(all) != 1 || all[0].GainWord != Ask ||
		!strings.HasSuffix(all[0].Title, "its holder is in a call to a backend") {
		t.Errorf("%+v", all)
	}
	sleep := walltime.Call{State: walltime.Sleep, Outer: "time.Sleep", Function: user + ".poll", File: "a.go", Line: 20}
	for p50, want := range map[time.Duration]GainWord{900 * time.Microsecond: AtMost, 100 * time.Microsecond: Ask} {
		v := waitView(0.5, sleep, nil)
		v.Numbers.LatencyP50 = p50
		one := find(t, v).Findings[0]
		if one.GainWord != want || want == AtMost && (one.Gain < 0.5 || one.Gain > 0.65) {
			t.Errorf("p50 %d: the gain is %s %g, want %s", p50, one.GainWord, one.Gain, want)
		}
	}
}

// A buffer that the user's code flushes after each piece saves no call; one that is flushed by a library, or when it is
// full, is no such thing.
func TestABufferThatIsFlushedEachTime(t *testing.T) {
	const text = "package m\n\nimport \"bufio\"\nfunc send(w *bufio.Writer, rows [][]byte) {\n" +
		"\tfor _, r := range rows {\n\t\tw.Write(r)\n\t\tw.Flush()\n\t}\n}\n"
	const call = "internal/runtime/syscall.Syscall6 < syscall.write < internal/poll.(*FD).Write < net.(*conn).Write < "
	for name, c := range map[string]struct {
		stack  string
		writes float64
		want   bool
	}{
		"each row":  {call + "bufio.(*Writer).Flush < " + user + ".send@/src/a.go:7", 201, true},
		"once":      {call + "bufio.(*Writer).Flush < " + user + ".send@/src/a.go:7", 1, false},
		"when full": {call + "bufio.(*Writer).Flush < bufio.(*Writer).Write < " + user + ".send@/src/a.go:6", 201, false},
		"by net/http": {call + "bufio.(*Writer).Flush < net/http.(*response).Flush < " + user + ".send@/src/a.go:7", 201,
			false},
	} {
		v := cpuView(t, map[string]string{"a.go": text}, map[string]int64{c.stack + " < net/http.(*conn).serve": 790,
			"runtime.mcall": 210})
		v.Numbers.Writes, v.Numbers.WriteBytes, v.Numbers.Depth = c.writes, c.writes*30, 1
		said := false
		for _, f := range find(t, v).Findings {
			said = said || f.Rule == "unbuffered-writes" && strings.Contains(f.Change, "Flush once")
		}
		if said != c.want {
			t.Errorf("%s: said %t, want %t", name, said, c.want)
		}
	}
}

// A search may be in a helper of a helper, and what it asks of each element in a function of its own.
func TestASearchByWayOfHelpers(t *testing.T) {
	const text = `package m

import "slices"

func match(a, b string) bool {
	return a == b // match
}

func known(all []string, one string) bool {
	return slices.ContainsFunc(all, func(s string) bool {
		return match(s, one) // literal
	})
}

func fresh(all []string, one string) bool {
	return !known(all, one) // helper
}

func merge(all, more []string) {
	for _, one := range more {
		if fresh(all, one) { // loop
			all = append(all, one)
		}
	}
}

func single(all []string) bool {
	return fresh(all, "x") // single
}
`
	call := func(function, mark string, line int64) string {
		if mark != "" {
			line = lineOf(t, text, mark)
		}
		return user + "." + function + "@/src/a.go:" + strconv.FormatInt(line, 10)
	}
	search := call("match", "match", 0) + " < " + call("known.func1", "literal", 0) +
		" < slices.ContainsFunc[...] < " + call("known", "", 10) + " < " + call("fresh", "helper", 0) + " < "
	for last, want := range map[string]string{
		call("merge", "loop", 0):    "quadratic-loop at a.go:21 m.merge",
		call("single", "single", 0): "",
	} {
		f := find(t, cpuView(t, map[string]string{"a.go": text}, map[string]int64{
			search + last + " < net/http.(*conn).serve": 780, "runtime.mcall": 220}))
		if got := listed(f.Findings); got != want {
			t.Errorf("%s: %q, want %q", last, got, want)
		}
	}
}

// The closure of a goroutine for each element goes with the goroutine, so it is no finding of its own.
func TestWhatALineAllocatesIsOfItsFinding(t *testing.T) {
	all := find(t, recordedView(t, "goroutine-per-item", "speaks.view")).Findings
	if len(all) != 1 || all[0].Rule != "goroutine-per-item" {
		t.Fatalf("%s, want one finding", listed(all))
	}
	said := ""
	for _, e := range all[0].Evidence {
		said += e.Source + " "
	}
	if !strings.Contains(said, "also") || all[0].Cost < 0.6 {
		t.Errorf("evidence %q, cost %g: want the closure in it", said, all[0].Cost)
	}
}

// What a library allocates is a finding only where the library has a way without; a pool is the remedy for neither.
func TestWhatALibraryAllocates(t *testing.T) {
	for via, want := range map[string]string{"bufio.(*Scanner).Text": "Bytes of the bufio.Scanner",
		"encoding/hex.EncodeToString": "hex.AppendEncode", "math/big.(*Rat).Add": "", "example.com/lib.New": ""} {
		if got := lessWith(via); got != want {
			t.Errorf("%s: %q, want %q", via, got, want)
		}
	}
	for _, f := range find(t, recordedView(t, "big-number", "silent.view")).Findings {
		t.Errorf("numbers that no int64 holds: %s at %v", f.Rule, f.Place)
	}
}
