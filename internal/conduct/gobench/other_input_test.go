package gobench

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/otherinput"
	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
)

// What first operations lack is a cache where another input lacks it, too, and once where it does not. A cold cache
// that both sides have does not count, nor does what another program does to some of them.
func TestWhatAnotherInputShows(t *testing.T) {
	same := func(ns float64) (all []float64) {
		for i := range 8 {
			all = append(all, ns*(1+0.02*float64(i%3)))
		}
		return all
	}
	for _, c := range []struct {
		name                                   string
		firstA, laterA, firstB, laterB, factor float64
		want                                   string
	}{
		{"an answer", 110e3, 100e3, 112e3, 500, 1, benchmarks.CaveatCache},
		{"a table", 110e3, 100e3, 12e3, 10e3, 1, benchmarks.CaveatOnce},
		{"a table that is cold", 150e3, 100e3, 60e3, 10e3, 1, benchmarks.CaveatOnce},
		{"some of the answers", 100e3, 100e3, 80e3, 10e3, 1, benchmarks.CaveatCache},
		{"no gain", 100e3, 100e3, 100e3, 100e3, 1, benchmarks.CaveatFirst},
		{"a third of the gain", 100e3, 100e3, 40e3, 10e3, 1, benchmarks.CaveatFirst},
		{"a disturbed machine", 110e3, 100e3, 12e3, 10e3, 20, benchmarks.CaveatOnce},
	} {
		o := others{first: [2][]float64{same(c.firstA), same(c.firstB)},
			later: [2][]float64{same(c.laterA), same(c.laterB)}}
		for i := range o.first[0] {
			if i%2 == 1 {
				o.first[1][i] *= c.factor
			}
		}
		caveat := record.Caveat{Name: benchmarks.CaveatFirst, Text: "before"}
		o.explain(&caveat)
		if same := caveat.Text == "before"; caveat.Name != c.want || same != (c.want == benchmarks.CaveatFirst) {
			t.Errorf("%s: %+v, want %s", c.name, caveat, c.want)
		}
	}
}

const otherBenchmark = `package op

import "testing"

var sink int

func BenchmarkOp(b *testing.B) {
	in := []byte("hello world")
	for i := 0; i < b.N; i++ {
		sink += Op(in)
	}
}
`

// op is a program that works on its input, after what it keeps.
func op(before, after string) string {
	return "package op\n\nvar (\n\tanswers = map[string]int{}\n\ttable   []int\n)\n\n" +
		"func work(in []byte, n int) (sum int) {\n\tfor i := 0; i < n; i++ {\n\t\tsum += i * int(in[i%len(in)])\n" +
		"\t}\n\treturn sum\n}\n\nfunc Op(in []byte) int {\n" + before + after + "}\n"
}

// Real programs: one keeps the answer to its input, one a table that all inputs need. The first operations of both
// are as slow as those of A, and another input shows which is which.
func TestAnotherInputOfRealPrograms(t *testing.T) {
	const n = "300000"
	programs := map[string]string{
		"A": op("", "\treturn work(in, "+n+")\n"),
		benchmarks.CaveatCache: op("\tif n, ok := answers[string(in)]; ok {\n\t\treturn n\n\t}\n",
			"\tanswers[string(in)] = work(in, "+n+")\n\treturn answers[string(in)]\n"),
		benchmarks.CaveatOnce: op("\tif table == nil {\n\t\ttable = []int{work([]byte(\"all inputs\"), "+n+")}\n\t}\n",
			"\treturn table[0] + work(in, 300)\n"),
	}
	built := map[string]process.Program{}
	for name, text := range programs {
		dir := t.TempDir()
		write := func(file, text string) {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("go.mod", "module example.com/op\n\ngo 1.21\n")
		write("op.go", text)
		write("op_test.go", otherBenchmark)
		other, err := otherinput.Copy(dir, []string{"op_test.go"}, "BenchmarkOp", false)
		if err != nil || other == "" {
			t.Fatalf("%q, %v", other, err)
		}
		write(otherFile, other)
		build := exec.Command("go", "test", "-c", "-vet=off", "-o", "op.test", ".")
		build.Dir = dir
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		built[name] = process.Program{Path: filepath.Join(dir, "op.test"), Dir: dir, Env: os.Environ()}
	}
	m := &measurement{}
	m.task.Timeout = spec.DefaultBenchTimeout
	for _, want := range []string{benchmarks.CaveatCache, benchmarks.CaveatOnce} {
		var o others
		for range otherPairs {
			for side, program := range []process.Program{built["A"], built[want]} {
				first, later, err := m.runOther(t.Context(), &bench{name: "Op", procs: 1}, program)
				if err != nil {
					t.Fatal(err)
				}
				o.first[side], o.later[side] = append(o.first[side], first), append(o.later[side], later)
			}
		}
		c := record.Caveat{Name: benchmarks.CaveatFirst}
		if o.explain(&c); c.Name != want {
			t.Errorf("%q, want %q: of A and B, first %.0f, then %.0f", c.Name, want, o.first, o.later)
		}
	}
}
