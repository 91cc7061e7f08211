package gate

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text     string
		key      string
		op       limit.Op
		limit    float64
		relative bool
	}{
		{"cpu<+2%", "cpu", limit.Less, 0.02, true},
		{" cpu  <=  - 10 % ", "cpu", limit.AtMost, -0.10, true},
		{"CPU<5%", "cpu", limit.Less, 0.05, true},
		{"cpu<0%", "cpu", limit.Less, 0, true},
		{"cpu<+100us", "cpu", limit.Less, 100e3, false},
		{"cpu<=+1.5\u00b5s", "cpu", limit.AtMost, 1500, false},
		{"p99<+5ms", "p99", limit.Less, 5e6, false},
		{"p99.9 <= +0.5%", "p99.9", limit.AtMost, 0.005, true},
		{"allocs<=0", "allocs", limit.AtMost, 0, false},
		{"allocs<=-0", "allocs", limit.AtMost, 0, false},
		{"allocs<+0.5", "allocs", limit.Less, 0.5, false},
		{"allocs<-1 allocs", "allocs", limit.Less, -1, false},
		{"bytes<=+1kB", "bytes", limit.AtMost, 1000, false},
		{"rss<+1MB", "rss", limit.Less, 1e6, false},
		{"rss<+1 MiB", "rss", limit.Less, 1 << 20, false},
		{"rate>-5%", "rate", limit.More, -0.05, true},
		{"rate>=-1k", "rate", limit.AtLeast, -1000, false},
		{"rate>=+200/s", "rate", limit.AtLeast, 200, false},
		{"writes<=+.5", "writes", limit.AtMost, 0.5, false},
	} {
		g, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if g.Measure.Key != c.key || g.Op != c.op || math.Abs(g.Limit-c.limit) > 1e-9*math.Abs(c.limit) ||
			g.Relative != c.relative || g.Text != strings.TrimSpace(c.text) {
			t.Errorf("%s: %+v", c.text, g)
		}
	}
}

// badGates are texts with the error and the hint that their user reads.
var badGates = []struct{ text, err, hint string }{
	{"", "the gate is empty", "write it like cpu<+2%"},
	{"cpu", `gate "cpu", column 4: no operator`, "write MEASURE, one of < <= > >="},
	{"<+2%", "column 1: no measure before <", "measures are cpu, rate, p50"},
	{"cpu==+2%", `column 4: unknown operator "=="`, "operators are < <= > >="},
	{"cpu<", "column 5: no value", "cpu<+2%"},
	{"cpu<+", `column 5: "+" is not a number`, "+2% (of A) or +100us"},
	{"cpu<++2%", `"++2%" is not a number`, ""},
	{"cpu<two", `"two" is not a number`, ""},
	{"cpu<1e3%", `"e3%" is not a unit of cpu`, ""},
	{"cpu<+1,5%", `",5%" is not a unit of cpu`, ""},
	{"cpu<+nan%", `"+nan%" is not a number`, ""},
	{"cpu<+5", "+5 has no unit", "+2% (of A) or +100us"},
	{"rss<+5", "+5 has no unit", "+1kB"},
	{"cpu<+5MB", `"MB" is not a unit of cpu`, "+100us"},
	{"rate>-5ms", `"ms" is not a unit of rate`, "-2% (of A) or -100/s"},
	{"p99<5ms", "column 5: 5ms has no sign, and a gate is a limit on the change",
		"write p99<+5ms; a limit on p99 itself is for hone load TARGET --fail-if 'p99>=5ms'"},
	{"rate>1000", "1000 has no sign", "hone load TARGET --fail-if 'rate<=1000'"},
	{"allocs<=5", "5 has no sign", "write allocs<=+5, or a relative change such as allocs<=+2%"},
	{"cpu>-5%", "column 4: cpu is better when it is lower: what gets worse would pass", "write cpu<=+5%"},
	{"cpu>=+5%", "cpu is better when it is lower", "write cpu<+5%"},
	{"rate<+5%", "rate is better when it is higher", "write rate>=-5%"},
	{"rate<=5%", "rate is better when it is higher", "write rate>-5%"},
	{"cpu<-100%", "nothing falls by 100 % or more", "such as cpu<-10%"},
	{"rate>-120%", "nothing falls by 100 % or more", "such as rate>-10%"},
	{"cpuu<+2%", `column 1: unknown measure "cpuu"`, `did you mean "cpu"?`},
	{"throughput>-5%", `unknown measure "throughput"`, `did you mean "rate"?`},
	{"p999<+5%", `unknown measure "p999"`, `did you mean "p99.9"?`},
	{"p95<+5%", `unknown measure "p95"`, `did you mean "p90"?`},
	{"memory<+5%", `unknown measure "memory"`, `did you mean "rss"?`},
	{"time<+5%", `unknown measure "time"`, `did you mean "cpu"?`},
	{"ns<+5%", `unknown measure "ns"`, `did you mean "cpu"?`},
	{"latency<+5%", `unknown measure "latency"`, `did you mean "p99"?`},
	{"beauty<+5%", `unknown measure "beauty"`, "known are cpu, rate"},
	{"\u00e9\u00e9 <+5%", `column 1: unknown measure`, ""},
	{"cpu<+" + strings.Repeat("9", 310) + "us", "is not a number", ""},
	{"cpu<+" + strings.Repeat("9", 307) + "ms", "is too large", ""},
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for _, c := range badGates {
		g, err := Parse(c.text)
		if err == nil {
			t.Errorf("%q was read as %+v", c.text, g)
			continue
		}
		if code := fail.ExitCode(err); code != int(fail.BadInput) {
			t.Errorf("%q: exit code %d", c.text, code)
		}
		if !strings.Contains(err.Error(), c.err) || !strings.Contains(fail.HintOf(err), c.hint) {
			t.Errorf("%q:\n%v\nhint: %s\nwant %q with hint %q", c.text, err, fail.HintOf(err), c.err, c.hint)
		}
	}
}

// What a hint tells to write is a gate.
func TestHintsNameGatesThatParse(t *testing.T) {
	tried := 0
	for _, c := range badGates {
		_, err := Parse(c.text)
		_, advice, found := strings.Cut(fail.HintOf(err), "write ")
		if !found || strings.HasPrefix(advice, "MEASURE") || strings.HasPrefix(advice, "it like") ||
			strings.HasPrefix(advice, "a ") {
			continue
		}
		word := strings.TrimRight(strings.Fields(advice)[0], ",;")
		tried++
		if _, err := Parse(word); err != nil {
			t.Errorf("the hint for %q says to write %q: %v", c.text, word, err)
		}
	}
	if tried < 7 {
		t.Errorf("only %d hints were tried", tried)
	}
}

// Benchmarks have measures of their own.
func TestParseOfOtherMeasures(t *testing.T) {
	known := []judge.Measure{
		{Key: "time", Name: "time per op", Unit: "ns/op", Better: judge.Lower},
		{Key: "bytes", Name: "bytes per op", Unit: "B/op", Better: judge.Lower},
		{Key: "MB/s", Name: "throughput", Unit: "MB/s", Better: judge.Higher},
		{Key: "hits", Name: "hits", Unit: "hits/op", Better: judge.Higher},
	}
	for text, limit := range map[string]float64{"time<+100us": 1e5, "bytes<=+1kB": 1000, "MB/s>-5MB": -5,
		"mb/s>-5MB/s": -5, "hits>=-1 hits/op": -1} {
		if g, err := ParseOf(text, known); err != nil || g.Limit != limit {
			t.Errorf("%s: %+v, %v", text, g, err)
		}
	}
	_, err := ParseOf("ns<+2%", known)
	if hint := fail.HintOf(err); !strings.Contains(hint, `did you mean "time"? known are time, bytes, MB/s, hits`) {
		t.Errorf("%v, hint %s", err, hint)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range badGates {
		f.Add(c.text)
	}
	for _, text := range []string{"cpu<+2%", "p99.9 <= - 5 ms", "allocs<=0", "rate>-1k/s", "rss<+1MiB", "\x00<\xff",
		"cpu<+0000.0000%"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Parse(text)
		if err != nil {
			var e *fail.Error
			if !errors.As(err, &e) || e.Kind != fail.BadInput || e.Hint == "" {
				t.Fatalf("%q: %#v has no kind or no hint", text, err)
			}
			return
		}
		again, err := Parse(g.Text)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(g) {
			t.Fatalf("%q: %+v, read again: %+v, %v", text, g, again, err)
		}
		if math.IsInf(g.Limit, 0) || math.IsNaN(g.Limit) {
			t.Fatalf("%q: limit %v", text, g.Limit)
		}
		// What is far worse than any limit fails.
		worse := seen(g.Measure, 1e12, 1e5, 2e5)
		if g.Measure.Better == judge.Higher {
			worse = seen(g.Measure, 1e12, 1e-9, 2e-9)
		}
		if outcome, _ := g.Judge(worse); outcome != Failed && math.Abs(g.Limit) < 1e3 {
			t.Fatalf("%q: %s by what is far worse", text, outcome)
		}
	})
}
