package turns

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
)

// A file that is added to one side is still that of its side after one was added to the other: where one side has
// another benchmark, both are compiled once more to compare their code.
func TestSidesHaveFilesOfTheirOwn(t *testing.T) {
	if !CanLive {
		t.Skip("hone starts no living processes here")
	}
	temp, added, dirs := t.TempDir(), [2]sources.Overlay{}, [2]string{}
	for side, benchmark := range []string{"Old", "New"} {
		dirs[side] = t.TempDir()
		text := "package p\n\nimport \"testing\"\n\nfunc Benchmark" + benchmark + "(b *testing.B) {}\n"
		for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p_test.go": text} {
			if err := os.WriteFile(filepath.Join(dirs[side], name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		o, of, err := Add(t.Context(), &sources.Side{Dir: dirs[side]},
			sources.Listed{Dir: dirs[side], TestGoFiles: []string{"p_test.go"}}, dirs[side], temp)
		if err != nil || of.Why != "" {
			t.Fatalf("%v, %s", err, of.Why)
		}
		added[side] = o
	}
	for side, want := range []string{"BenchmarkOld", "BenchmarkNew"} {
		text, err := os.ReadFile(added[side].Replace[filepath.Join(dirs[side], "hone_bench_turns_0_test.go")])
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("the file of one side has not %s: %v\n%s", want, err, text)
		}
	}
}
