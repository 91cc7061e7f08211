package gobench

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/judge"
)

// Operations of which some lack the gain are named. What a first operation makes, a buffer that is made anew now and
// then, and operations that differ on A as well are not.
func TestOperationsThatDoNotWorkAlike(t *testing.T) {
	of := func(many float64, single ...float64) work { return work{slices.Repeat(single, 16/len(single)), many} }
	a := of(1000, 1000)
	for _, c := range []struct {
		name string
		a, b work
		want bool
	}{
		{"half as much in each", a, of(500, 500), false},
		{"a buffer now and then", a, of(500, 500, 500, 500, 520), false},
		{"one in eight", a, of(126, 1, 1, 1, 1, 1, 1, 1, 1001), true},
		{"the first hundred", a, of(200, 1001), true},
		{"ten answers are kept", a, of(3, 1004), true},
		{"fewer with time, which is not the gain", a, of(400, 500), false},
		{"inputs of many sizes", of(1000, 100, 1900), of(500, 50, 950), false},
		{"as many statements, and other packages have the work", of(4, 4), of(3, 8), true},
		{"none are counted", of(0, 0), of(0, 0), false},
	} {
		got := unevenCaveat(judge.Verdict{Ratio: 0.5}, [2]work{c.a, c.b})
		if (len(got) > 0) != c.want || c.want && got[0].Open {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if got := unevenCaveat(judge.Verdict{Ratio: 0.5}, [2]work{{}, of(3, 1004)}); got != nil {
		t.Errorf("without A: %+v", got)
	}
}

// A real program whose operations do nothing in seven of eight calls shows it by its counters, one by one and on
// average.
func TestStatementsOfSingleOperations(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/op\n\ngo 1.21\n",
		"op.go": "package op\n\nvar calls, last int\n\nfunc Op(n int) int {\n" +
			"\tif calls++; calls%8 != 0 {\n\t\treturn last\n\t}\n" +
			"\tfor i := 0; i < n; i++ {\n\t\tlast += i\n\t}\n\treturn last\n}\n",
		"op_test.go": "package op\n\nimport \"testing\"\n\nvar sink int\n\nfunc BenchmarkOp(b *testing.B) {\n" +
			"\tfor i := 0; i < b.N; i++ {\n\t\tsink += Op(80)\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", slices.Concat([]string{"test", "-c", "-o", "op.test"},
		reach.CounterFlags([]string{"example.com/op"}))...)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	m, b := &measurement{}, &bench{name: "Op", procs: 1}
	program := process.Program{Path: filepath.Join(dir, "op.test"), Dir: dir, Env: os.Environ()}
	w, err := m.countWork(t.Context(), b, program, leastOperations)
	if err != nil {
		t.Fatal(err)
	}
	heavy := slices.DeleteFunc(slices.Clone(w.single), func(n float64) bool { return n < 80 })
	if len(w.single) != singleOperations || len(heavy) != 2 || w.many < 10 || w.many > 20 {
		t.Errorf("%+v", w)
	}
	sides := [2]work{{slices.Repeat([]float64{82}, singleOperations), 82}, w}
	got := unevenCaveat(judge.Verdict{Ratio: 0.2}, sides)
	if len(got) != 1 || !strings.Contains(got[0].Text, "2 of the first 16") {
		t.Errorf("%+v", got)
	}
}
