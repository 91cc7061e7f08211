package otherinput

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const head = `package x

import (
	rand "math/rand/v2"
	"strings"
	"testing"
)

`

// A copy has other literals where they reach what the loop calls: in it, by variables, and by variables of the package.
// Where none does, there is no copy.
func TestACopyHasAnotherInput(t *testing.T) {
	// loop is a benchmark that prepares something, and then calls something.
	loop := func(before, call string) string {
		return "func BenchmarkX(b *testing.B) {\n" + before + "\nfor b.Loop() {\n" + call + "\n}\n}\n"
	}
	for _, c := range []struct {
		name, text string
		numbers    bool     // only
		want       []string // in the copy; nil: there is none
	}{
		{"a literal in the loop", "func BenchmarkX(b *testing.B) {\nfor i := 0; i < b.N; i++ {\nOp(\"ab1;\", 7)\n}\n}\n",
			false, []string{"func BenchmarkHoneOtherX(b *testing.B)", `Op("ab11;", 8)`, "i := 0; i < b.N"}},
		{"only numbers", loop("", `Op("ab", 7)`), true, []string{`Op("ab", 8)`}},
		{"a variable", loop(`in := strings.Repeat("a", 10); b.SetBytes(10)`, "Op(in)"), false,
			[]string{`strings.Repeat("aa", 11)`, "SetBytes(10)", `import strings "strings"`}},
		{"a seed", loop("r := rand.New(rand.NewPCG(1, 0)); in := make([]byte, r.IntN(9))", "Op(in[:2])"), false,
			[]string{"rand.NewPCG(2, 0)", "in[:2]", `import rand "math/rand/v2"`}},
		{"a variable of the package", "var in = []string{\"a\"}\n\n" + loop("", "Op(in)"), false,
			[]string{`var honeOtherin = []string{"aa"}`, "Op(honeOtherin)"}},
		{"parallel", "func BenchmarkX(b *testing.B) {\nb.RunParallel(func(pb *testing.PB) {\n" +
			"for pb.Next() {\nOp(5)\n}\n})\n}\n", false, []string{"Op(6)"}},
		{"sub-benchmarks", `func BenchmarkX(b *testing.B) {
	for _, c := range []struct{ name string; n int }{{"a", 10}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				Op(c.n)
			}
		})
	}
}
`, true, []string{`{"a", 11}`, "b.Run(c.name"}},
		{"a file", loop("", `Op("testdata/x.json")`), false, nil},
		{"no input", loop("b.SetBytes(5); n := 7; _ = n", "Op()"), false, nil},
		{"another function", "func BenchmarkY(b *testing.B) {}\n", false, nil},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "x_test.go"), []byte(head+c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Copy(dir, []string{"x_test.go"}, "BenchmarkX", c.numbers)
		if err != nil || (got == "") != (c.want == nil) {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q:\n%s", c.name, want, got)
			}
		}
	}
}
