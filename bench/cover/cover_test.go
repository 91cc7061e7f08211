package cover

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/cover/services"
)

// A sample belongs to the function of the program nearest the leaf, to the collector, or to the outermost function of the library.
func TestFunction(t *testing.T) {
	const own = "github.com/gohone/hone/bench/cover/services.(*counter).Write"
	for stack, want := range map[string]string{
		"syscall.write net/http.(*conn).Write " + own + " net/http.(*conn).serve": own,
		"runtime.scanobject runtime.gcDrain runtime.gcBgMarkWorker":               collector,
		"runtime.greyobject runtime.gcAssistAlloc runtime.mallocgc " + own:        collector,
		"runtime.mallocgc " + own: own,
		"internal/poll.(*FD).Read net/http.(*connReader).backgroundRead":                 "net/http.(*connReader).backgroundRead",
		"slices.insertionSort[go.shape.struct{encoding/json.v}] main.main runtime.main":  "main.main",
		"slices.Sort[github.com/x/y.T] runtime.main":                                     "runtime.main",
		"golang.org/x/text/width.Narrow " + own + " net/http.HandlerFunc.ServeHTTP main": "golang.org/x/text/width.Narrow",
	} {
		if got := function(strings.Fields(stack)); got != want {
			t.Errorf("%s: %s, want %s", stack, got, want)
		}
	}
}

// Of disjoint requests the overlap is what the others take, and a function of both counts as far as both have it.
func TestLacking(t *testing.T) {
	got := lacking("push", spread{"push": 900, "log": 100}, spread{"pop": 800, "log": 200}, 0.5)
	// production: push 45, pop 40, log 15; the load: pop 80, log 20
	if math.Abs(got.Overlap-55) > 1e-9 || got.Share != 50 || got.Error < 0.3 || got.Error > 3 {
		t.Errorf("%+v, want an overlap of 55 with an error", got)
	}
	if v := overlap(spread{"a": 1, "b": 3}, spread{"a": 100, "b": 300}); v != 1 {
		t.Errorf("%v of a spread with itself, want 1", v)
	}
}

// The share of a part is read from a profile of the whole, and two profiles of two loads are not those of one.
func TestLikeliest(t *testing.T) {
	a, b := spread{"push": 900, "log": 100}, spread{"pop": 800, "log": 200}
	if got := likeliest(mixed(a, b, 0.3), a, b); math.Abs(got-0.3) > 1e-6 {
		t.Errorf("share %v, want 0.3", got)
	}
	if p := chance(a, a.sized(500)); p != 1 && p < 0.5 {
		t.Errorf("the same spread: chance %v", p)
	}
	if p := chance(a, spread{"push": 800, "log": 200}); p > 0.01 {
		t.Errorf("another spread: chance %v", p)
	}
}

// What is drawn again has as many samples, spread as before.
func TestAgain(t *testing.T) {
	s := spread{"a": 700, "b": 200, "c": 100}
	drawn := s.again(rand.New(rand.NewPCG(1, 2)))
	if drawn.samples() != 1000 || math.Abs(drawn["a"]-700) > 60 {
		t.Errorf("drawn %v", drawn)
	}
}

func states(overlap, low, high float64) *stated {
	return &stated{overlap, low, high, [2]int{5000, 5000}, 0.5}
}

// The closed half has sums, and its services only if they are asked for.
func TestDocument(t *testing.T) {
	right := record{Service: "pages", Same: states(99, 97, 100), Less: states(52, 49, 55), Truth: &truth{Overlap: 50, Error: 0.5, Missing: "feed", Share: 55, Seen: 54}, Fit: &fit{Stated: states(85, 80, 90)}, Drawn: &pairs{Off: []float64{1, -4}, Held: 2, Same: 1}}
	wrong := right
	wrong.Fit = &fit{Failed: "no load"}
	wrong.Service, wrong.Same, wrong.Less = "queue", states(90, 85, 95), states(60, 57, 63)
	all := []record{right, wrong, {Service: "sums", Failed: "hone ended with 2\nwhy"}}
	for _, shown := range []bool{false, true} {
		result := new(bed.Result)
		config{closed: shown}.write(result, last(all), map[string]string{"pages": bed.HalfOpen, "queue": bed.HalfClosed, "sums": bed.HalfOpen})
		text := result.Text()
		for _, want := range []string{
			"open half of the services: the interval of two profiles of one load holds 100: 1 of 1", "closed half of the services: the interval of two profiles of one load holds 100: 0 of 1",
			"open half of the services: the overlap with a load that lacks some requests is within 3 points of the true one: 1 of 1", "closed half of the services: the interval holds the true overlap: 0 of 1",
			"open half of the services: the load exercises 85 % of production's CPU: 1 of 1", "closed half of the services: the load exercises 85 % of production's CPU: 0 of 1",
			"open half of the services: profiles drawn from known ones: the overlap is within 3 points: 1 of 2", "open half of the services: profiles drawn from one: the interval holds 100: 1 of 2",
			"sums     hone ended with 2\n", "52.0 (49.0 ... 55.0)  50.0 +- 0.5  +2.0",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("want %q in\n%s", want, text)
			}
		}
		if strings.Contains(text, "queue") != shown {
			t.Errorf("closed %v:\n%s", shown, text)
		}
	}
}

// Half of the services are closed, and a later session of another version measures again.
func TestHalves(t *testing.T) {
	n := map[string]int{}
	for _, half := range halves("1") {
		n[half]++
	}
	if n[bed.HalfOpen] != 5 || n[bed.HalfClosed] != 5 {
		t.Errorf("%v", n)
	}
	session := func(version string) record { return record{Entry: bed.Entry{Session: &bed.Session{Hone: version}}} }
	done := has([]record{session("old"), {Service: "pages"}, session("new"), {Service: "sums"}, {Service: "queue", Failed: "why"}}, bed.OfVersion("new"))
	if done["pages"] || !done["sums"] || done["queue"] {
		t.Errorf("%v", done)
	}
}

// The parts of a demand make the whole.
func TestSplit(t *testing.T) {
	s := drawDemand(named(t, "routes"), "1")
	if len(s.groups()) != 8 {
		t.Errorf("%q, want a group for each task", s.groups())
	}
	alone, rest := s.split("sorted")
	if len(alone.Parts) != 10 || len(rest.Parts) != 70 || math.Abs(alone.of+rest.of-1) > 1e-9 {
		t.Errorf("%d and %d endpoints with %v and %v of the requests", len(alone.Parts), len(rest.Parts), alone.of, rest.of)
	}
}

func named(t *testing.T, name string) services.Service {
	t.Helper()
	s, ok := services.Named(name)
	if !ok {
		t.Fatalf("no service %q", name)
	}
	return s
}

// What hone says last is the reason.
func TestSaid(t *testing.T) {
	if got := said("note: a\nhone: no cpu profile\nhint: b\nhone: measurement invalid: rate short\nhint: c"); got != "measurement invalid: rate short" {
		t.Errorf("%q", got)
	}
}

// A profile that is drawn again has n samples of the same stacks.
func TestRedrawn(t *testing.T) {
	of := &profile.Profile{Period: 10, SampleType: []*profile.ValueType{{Type: "samples"}, {Type: "cpu"}}, Sample: []*profile.Sample{{Value: []int64{90, 900}}, {Value: []int64{10, 100}}}}
	p := redrawn(of, 1000, rand.New(rand.NewPCG(1, 3)))
	if n := p.Sample[0].Value[0]; len(p.Sample) != 2 || n+p.Sample[1].Value[0] != 1000 || n < 850 || n > 950 || p.Sample[0].Value[1] != 10*n {
		t.Errorf("drawn %v", p.Sample)
	}
}
