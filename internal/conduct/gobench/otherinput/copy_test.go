package otherinput

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A copy has other literals where they reach what the loop calls: in it, by variables, and by variables of the package.
// Where none does, there is no copy.
func TestACopyHasAnotherInput(t *testing.T) {
	const head = "package x\n\nimport (\n\t\"strings\"\n\t\"testing\"\n\trand \"math/rand/v2\"\n)\n\n"
	for _, c := range []struct {
		name, text string
		numbers    bool
		want       []string // in the copy; nil: there is none
	}{
		{"a literal in the loop", "func BenchmarkX(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tOp(\"ab1;\", 7)\n\t}\n}\n",
			false, []string{"func BenchmarkHoneOtherX(b *testing.B)", `Op("ab11;", 8)`, "i := 0; i < b.N"}},
		{"only numbers", "func BenchmarkX(b *testing.B) {\n\tfor b.Loop() {\n\t\tOp(\"ab\", 7)\n\t}\n}\n",
			true, []string{`Op("ab", 8)`}},
		{"a variable", "func BenchmarkX(b *testing.B) {\n\tin := strings.Repeat(\"a\", 10)\n\tb.SetBytes(10)\n\tfor b.Loop() {\n" +
			"\t\tOp(in)\n\t}\n}\n", false, []string{`strings.Repeat("aa", 11)`, "SetBytes(10)", `import strings "strings"`}},
		{"a seed", "func BenchmarkX(b *testing.B) {\n\tr := rand.New(rand.NewPCG(1, 0))\n\tin := make([]byte, r.IntN(9))\n" +
			"\tfor b.Loop() {\n\t\tOp(in[:2])\n\t}\n}\n", false, []string{"rand.NewPCG(2, 0)", "in[:2]", `import rand "math/rand/v2"`}},
		{"a variable of the package", "var in = []string{\"a\"}\n\nfunc BenchmarkX(b *testing.B) {\n\tfor b.Loop() {\n\t\tOp(in)\n\t}\n}\n",
			false, []string{`var honeOtherin = []string{"aa"}`, "Op(honeOtherin)"}},
		{"parallel", "func BenchmarkX(b *testing.B) {\n\tb.RunParallel(func(pb *testing.PB) {\n\t\tfor pb.Next() {\n\t\t\tOp(5)\n" +
			"\t\t}\n\t})\n}\n", false, []string{"Op(6)"}},
		{"sub-benchmarks", "func BenchmarkX(b *testing.B) {\n\tfor _, c := range []struct{ name string; n int }{{\"a\", 10}} {\n" +
			"\t\tb.Run(c.name, func(b *testing.B) {\n\t\t\tfor b.Loop() {\n\t\t\t\tOp(c.n)\n\t\t\t}\n\t\t})\n\t}\n}\n", true,
			[]string{`{"a", 11}`, "b.Run(c.name"}},
		{"a file", "func BenchmarkX(b *testing.B) {\n\tfor b.Loop() {\n\t\tOp(\"testdata/x.json\")\n\t}\n}\n", false, nil},
		{"no input", "func BenchmarkX(b *testing.B) {\n\tb.SetBytes(5)\n\tn := 7\n\t_ = n\n\tfor b.Loop() {\n\t\tOp()\n\t}\n}\n", false, nil},
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
