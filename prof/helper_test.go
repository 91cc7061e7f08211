package prof

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

var update = flag.Bool("update", false, "rewrite the golden files with go tool pprof")

// readFile reads a real profile; testdata/gen makes them.
func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parseFile(t testing.TB, name string) *profile.Profile {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := Parse(f, Limits{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

// captureFile reads a CPU profile with the operations that gen noted in it.
func captureFile(t testing.TB, name string) Capture {
	t.Helper()
	p := parseFile(t, name)
	for _, c := range p.Comments {
		if n, ok := strings.CutPrefix(c, "operations "); ok {
			operations, err := strconv.ParseUint(n, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return Capture{Kind: "cpu", Profile: p, Operations: operations}
		}
	}
	t.Fatalf("%s names no operations", name)
	return Capture{}
}

// builder makes profiles by hand.
type builder struct {
	p         *profile.Profile
	functions map[string]*profile.Function
}

// build starts a profile; types are as in "cpu/nanoseconds".
func build(types ...string) *builder {
	b := &builder{p: &profile.Profile{PeriodType: &profile.ValueType{}}, functions: map[string]*profile.Function{}}
	for _, t := range types {
		name, unit, _ := strings.Cut(t, "/")
		b.p.SampleType = append(b.p.SampleType, &profile.ValueType{Type: name, Unit: unit})
	}
	return b
}

const tick = 10_000_000 // nanoseconds, of the usual 100 Hz

func buildCPU() *builder { return build("samples/count", "cpu/nanoseconds") }

// ticks adds a CPU sample of n ticks.
func (b *builder) ticks(n int64, stack string) *builder { return b.sample(stack, n, n*tick) }

// sample adds a sample. The stack lists frames, leaf first, as function or
// function@file:line or function@file:line:first line of the function, separated by " < ";
// "a + b" is one location with a inlined into b.
func (b *builder) sample(stack string, values ...int64) *builder {
	s := &profile.Sample{Value: values}
	for _, location := range strings.Split(stack, " < ") {
		l := &profile.Location{ID: uint64(len(b.p.Location) + 1)}
		for _, f := range strings.Split(location, " + ") {
			l.Line = append(l.Line, b.line(f))
		}
		b.p.Location = append(b.p.Location, l)
		s.Location = append(s.Location, l)
	}
	b.p.Sample = append(b.p.Sample, s)
	return b
}

func (b *builder) line(spec string) profile.Line {
	name, place, _ := strings.Cut(strings.TrimSpace(spec), "@")
	file, line, _ := strings.Cut(place, ":")
	line, begins, _ := strings.Cut(line, ":")
	f := b.functions[name]
	if f == nil {
		f = &profile.Function{ID: uint64(len(b.p.Function) + 1), Name: name, Filename: file}
		f.StartLine, _ = strconv.ParseInt(begins, 10, 64)
		b.functions[name] = f
		b.p.Function = append(b.p.Function, f)
	}
	n, _ := strconv.ParseInt(line, 10, 64)
	return profile.Line{Function: f, Line: n}
}

func (b *builder) cpu(operations uint64) Capture {
	return Capture{Kind: "cpu", Profile: b.p, Operations: operations}
}

// lines renders changes as a verdict shows them.
func lines(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintln(&b, c)
	}
	return b.String()
}
