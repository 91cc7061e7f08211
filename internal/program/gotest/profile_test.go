package gotest

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// Each benchmark has profiles of its own; one that fails, and a package that does not build, are left out, and said.
func TestProfile(t *testing.T) {
	dir := module(t, map[string]string{
		"a/a.go": "package a\n\nfunc Sum(n int) (s int) {\n\tfor i := 0; i < n; i++ {\n\t\ts += i * s\n\t}\n\treturn s\n}\n",
		"a/a_test.go": `package a
import "testing"
var sink int
func BenchmarkSum(b *testing.B) {
	for _, name := range []string{"x", "y"} {
		b.Run(name, func(b *testing.B) { for i := 0; i < b.N; i++ { sink = Sum(10000) } })
	}
}
func BenchmarkFails(b *testing.B) { b.Fatal("not today") }
func BenchmarkOther(b *testing.B) { b.Fatal("not asked for") }
func TestNever(t *testing.T) { t.Fatal("a test ran") }
`,
		"broken/b_test.go": "package broken\n\nvar x int = \"\"\n",
		"none/none.go":     "package none\n",
	})
	var warned, phases []string
	warn := func(text string) { warned = append(warned, text) }
	all, err := Profile(t.Context(), Task{Dir: dir, Packages: []string{"./..."}}, "Sum/x|Fails",
		func(what string) { phases = append(phases, what) }, warn)
	if err != nil || len(all) != 1 || len(phases) != 3 {
		t.Fatalf("%d profiled, %q, %v", len(all), phases, err)
	}
	p := all[0]
	if p.Package != "example.com/m/a" || p.Module != "example.com/m" || p.ModuleDir != dir || p.Name != "BenchmarkSum" ||
		p.CPU.Kind != "cpu" || p.Allocs.Kind != "allocs" || p.CPU.Operations == 0 || len(p.CPU.Profile.Sample) == 0 {
		t.Errorf("%+v", p)
	}
	found := false
	for _, f := range p.CPU.Profile.Function {
		found = found || f.Name == "example.com/m/a.Sum"
	}
	if !found {
		t.Error("the profile does not name the function that the benchmark executes")
	}
	text := strings.Join(warned, "\n")
	if len(warned) != 2 || !strings.Contains(text, "BenchmarkFails of example.com/m/a is left out") ||
		!strings.Contains(text, "not today") || !strings.Contains(text, "example.com/m/broken is left out") {
		t.Errorf("%s", text)
	}
	for _, pattern := range []string{"NoSuch", "("} {
		if _, err := Profile(t.Context(), Task{Dir: dir, Packages: []string{"./none"}}, pattern, func(string) {}, warn); err == nil ||
			fail.KindOf(err) != fail.BadInput || fail.HintOf(err) == "" {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}
