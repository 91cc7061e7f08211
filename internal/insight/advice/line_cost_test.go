package advice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

const user = "example.com/m"

// cpuView is a view of a CPU profile: samples by stack, leaf first, each frame as name@file:line. The files lie in
// /src.
func cpuView(t *testing.T, files map[string]string, samples map[string]int64) *facts.View {
	t.Helper()
	v := &facts.View{Tree: code.Tree{Code: prof.Code{Module: user, MainPackage: user}}}
	texts := map[string][]byte{}
	for name, text := range files {
		texts["/src/"+name] = []byte(text)
	}
	v.ReadFrom(texts)
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"},
		{Type: "cpu", Unit: "nanoseconds"}}}
	for stack, n := range samples {
		s := &profile.Sample{Value: []int64{n, n * 10_000_000}}
		for frame := range strings.SplitSeq(stack, " < ") {
			name, at, _ := strings.Cut(frame, "@")
			f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name}
			l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: 1}}}
			if at != "" {
				if _, err := fmt.Sscanf(strings.Replace(at, ":", " ", 1), "%s %d", &f.Filename,
					&l.Line[0].Line); err != nil {
					t.Fatal(err)
				}
			}
			p.Function, p.Location, s.Location = append(p.Function, f), append(p.Location, l), append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	v.Captures = map[string]prof.Capture{"cpu": {Kind: "cpu", Profile: p, Operations: 1000}}
	v.Numbers = facts.Numbers{CPUNanos: 1e5, Load: facts.Load{Connections: 10}}
	return v
}

// onStack is a search in a view whose CPU profile has one stack, and that stack: functions with their files and marks,
// the innermost first.
func onStack(t *testing.T, files map[string]string, frames ...string) (*search, *facts.Stack) {
	t.Helper()
	for i, one := range frames {
		if words := strings.Split(one, " "); len(words) == 3 {
			frames[i] = fmt.Sprintf("%s@/src/%s:%d", words[0], words[1], lineOf(t, files[words[1]], words[2]))
		}
	}
	v := cpuView(t, files, map[string]int64{strings.Join(frames, " < "): 100})
	if err := v.Read(); err != nil {
		t.Fatal(err)
	}
	return &search{View: v}, &v.Stacks[0]
}

// The line that takes most comes first, with all that it calls, also where its finding is of a part of it.
func TestFindingsAreInTheOrderOfWhatTheirLinesTake(t *testing.T) {
	const lookup, render, root = user + ".lookup@/src/a.go:4", user + ".render@/src/a.go:9", "net/http.(*conn).serve"
	v := cpuView(t, map[string]string{"a.go": "package m\n"}, map[string]int64{
		"regexp.compile < regexp.MustCompile < " + lookup + " < " + root:                 150,
		"github.com/lib/md.parse < github.com/lib/md.Convert < " + render + " < " + root: 370,
		"fmt.Sprintf < " + user + ".log@/src/a.go:20 < " + root:                          80,
		"regexp.(*Regexp).MatchString < " + lookup + " < " + root:                        160,
		"runtime.mcall": 240,
	})
	all := find(t, v).Findings
	if got, want := listed(all),
		"compile-per-call at a.go:4 m.lookup; fmt-hot at a.go:20 m.log"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if f := all[0]; f.LineCost < 0.30 || f.LineCost > 0.32 || f.Cost > 0.16 || f.Gain > 0.19 {
		t.Errorf("%+v, want a cost of 15 %% in a line of 31 %%", f)
	}
}

// A finding needs five samples of its own, and a profile of thirty for any.
func TestFewSamplesMakeNoFinding(t *testing.T) {
	compile := func(compiles, others int64) *facts.View {
		return cpuView(t, map[string]string{"a.go": "package m\n"}, map[string]int64{
			"regexp.compile < regexp.MustCompile < " + user + ".lookup@/src/a.go:4": compiles, "runtime.mcall": others,
		})
	}
	for _, c := range []struct {
		compiles, others int64
		found, missing   int
	}{{2, 38, 0, 0}, {5, 35, 1, 0}, {10, 15, 0, 1}} {
		f := find(t, compile(c.compiles, c.others))
		missing := 0
		for _, m := range f.Missing {
			if strings.Contains(m, "too few") {
				missing++
			}
		}
		if len(f.Findings) != c.found || missing != c.missing {
			t.Errorf("%d of %d samples: %s, missing %q", c.compiles, c.compiles+c.others, listed(f.Findings), f.Missing)
		}
	}
}

// What a library's middleware does is at the line that names the middleware, and never at that of another one.
func TestMiddlewareIsAtItsOwnLine(t *testing.T) {
	const text = `package m

import (
	"github.com/lib/ids"
	"github.com/lib/logs"
)

func main() {
	h := logs.Logger(handler)
	h = logs.RequestLogger(h)
	h = ids.New(h)
}
`
	const outer = "net/http.HandlerFunc.ServeHTTP < " + user +
		".count@/src/b.go:7 < net/http.HandlerFunc.ServeHTTP < net/http.(*conn).serve"
	for stack, line := range map[string]int64{
		"fmt.Sprintf < github.com/lib/logs.RequestLogger.func1 < " +
			outer: 10,
		"fmt.Sprintf < github.com/lib/ids/internal.next < net/http.HandlerFunc.ServeHTTP < " +
			"github.com/lib/logs.Logger.func1 < " + outer: 0,
		"fmt.Sprintf < github.com/lib/ids.New.func1 < net/http.HandlerFunc.ServeHTTP < github.com/lib/logs.Logger.func1 < " +
			outer: 11,
	} {
		v := cpuView(t, map[string]string{"a.go": text, "b.go": "package m\n"},
			map[string]int64{stack: 400, "runtime.mcall": 600})
		all := find(t, v).Findings
		switch {
		case line == 0 && len(all) == 0:
		case len(all) != 1 || all[0].Place.Line != line:
			t.Errorf("%s: %s, want line %d", stack, listed(all), line)
		}
	}
}

// What to do fits the function that the line calls.
func TestTheRemedyIsForWhatTheLineUses(t *testing.T) {
	const loop = "package m\n\nfunc list(names []string) {\n\tfor _, n := range names {\n\t\tuse(n)\n\t}\n}\n"
	for call, c := range map[string]struct{ has, hasNot string }{
		"os.Lstat":                    {"os.ReadDir", "SELECT"},
		"os.ReadFile":                 {"once", "SELECT"},
		"net/http.(*Client).Do":       {"errgroup", "SELECT"},
		"database/sql.(*DB).QueryRow": {"SELECT", "ReadDir"},
		"encoding/xml.NewDecoder":     {"bufio.Reader", "gob"},
		"encoding/csv.NewReader":      {"csv.NewReader", "gob"},
		"encoding/gob.NewEncoder":     {"gob", "xml"},
		"log/slog.(*Logger).LogAttrs": {"in a hundred", "slog.String"},
		"log/slog.(*Logger).Info":     {"slog.LogAttrs", "in a hundred"},
		"html/template.ParseFiles":    {"template.Must", "regexp"},
		"regexp.MustCompile":          {"regexp.MustCompile", "template"},
		"encoding/binary.Write":       {"AppendUint32", "Uint32(b[:4])"},
	} {
		v := cpuView(t, map[string]string{"a.go": loop},
			map[string]int64{call + " < " + user + ".list@/src/a.go:5 < net/http.(*conn).serve": 400,
				"runtime.mcall": 600})
		all := find(t, v).Findings
		if len(all) != 1 {
			t.Errorf("%s: %s", call, listed(all))
			continue
		}
		if f := all[0]; !strings.Contains(f.Change+f.After, c.has) ||
			strings.Contains(f.Change+f.Before+f.After, c.hasNot) {
			t.Errorf("%s: %s\n%s\n%s", call, f.Change, f.Before, f.After)
		}
	}
}

// lineOf is the line of a text that ends in a comment with a mark.
func lineOf(t *testing.T, text, mark string) int64 {
	t.Helper()
	before, _, found := strings.Cut(text, "// "+mark+"\n")
	if !found {
		t.Fatalf("no mark %q", mark)
	}
	return int64(strings.Count(before, "\n") + 1)
}

// onlyFinding is the finding of samples of a.go, of a thousand with what the scheduler takes; nil if there is none. More
// than one is an error.
func onlyFinding(t *testing.T, text string, samples map[string]int64) *Finding {
	t.Helper()
	whole := int64(0)
	for _, n := range samples {
		whole += n
	}
	samples["runtime.mcall"] = 1000 - whole
	found := find(t, cpuView(t, map[string]string{"a.go": text}, samples)).Findings
	if len(found) == 0 {
		return nil
	}
	if len(found) > 1 {
		t.Errorf("several findings: %s", listed(found))
	}
	return &found[0]
}
