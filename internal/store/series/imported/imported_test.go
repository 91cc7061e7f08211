package imported

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/text/fail"
)

// told is a result in lines: its commits with their values, and its faults.
func told(r Result) string {
	var b strings.Builder
	for _, p := range r.Points {
		fmt.Fprintf(&b, "%.7s %s", p.Commit.Hash, p.Commit.Time.Format(time.DateOnly))
		for _, text := range []string{p.Commit.Author, p.Commit.Subject, p.Machine} {
			if text != "" {
				fmt.Fprintf(&b, " %q", text)
			}
		}
		b.WriteByte('\n')
		for _, v := range p.Values {
			fmt.Fprintf(&b, "  %s: %s %g %s\n", v.Name, v.Measure, v.Absolute, v.Unit)
		}
	}
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "%s:%d: %s\n", f.File, f.Line, f.Reason)
	}
	return b.String()
}

func read(t testing.TB, name, text string) Result {
	t.Helper()
	r, err := Read(t.Context(), strings.NewReader(text), name, Options{Branch: "main"})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, p := range r.Points {
		if p.Imported != r.Format || p.Base != nil || p.Branch != "main" || p.Subject != "bench" || p.ID == "" {
			t.Errorf("%s: point %+v", name, p)
		}
		for _, v := range p.Values {
			if v.State != series.Measured || v.Ratio != 0 || v.Low != 0 || v.High != 0 || v.Confidence != 0 {
				t.Errorf("%s: an imported value has a ratio: %+v", name, v)
			}
		}
	}
	return r
}

const dataJSFile = `window.BENCHMARK_DATA = {
  "lastUpdate": 1575818471432,
  "repoUrl": "https://example.com/o/r",
  "entries": {
    "Go": [
      {
        "commit": {"author": {"email": "a@example.com", "name": "A. Author", "username": "aa"}, "id": "1a2b3c4d5e6f708192a3b4c5d6e7f80910111213",
          "message": "Speed up\n\nmore", "timestamp": "2026-01-02T05:04:05+02:00"},
        "date": 1767500000000, "tool": "go",
        "benches": [
          {"name": "BenchmarkFib10", "value": 325, "unit": "ns/op\t       4 B/op\t       1 allocs/op", "extra": "5000000 times\n8 procs"},
          {"name": "BenchmarkFib10 - ns/op", "value": 325, "unit": "ns/op", "extra": "8 procs"},
          {"name": "BenchmarkFib10 - B/op", "value": 4, "unit": "B/op"},
          {"name": "BenchmarkRead/1k (example.com/r/io)", "value": 1.5, "unit": "MB/s"}
        ]
      },
      {"commit": {"id": "head", "author": {}}, "date": 1, "benches": []},
      {"commit": {"id": "2a2b3c4d5e6f", "author": {"username": "bb"}}, "date": 1767600000000,
        "benches": [{"name": "BenchmarkFib10", "value": "300", "unit": "ns/op"}, {"name": "x", "value": -1, "unit": "ns/op"}]}
    ],
    "Rust": [{"commit": {"id": "1a2b3c4d5e6f708192a3b4c5d6e7f80910111213", "author": {}}, "date": 0,
      "benches": [{"name": "fib", "value": 7, "unit": ""}]}]
  }
};
`

func TestDataJS(t *testing.T) {
	r := read(t, "data.js", dataJSFile)
	want := `1a2b3c4 2026-01-02 "A. Author" "Speed up" "Go"
  Fib10: time 325 ns
  Fib10: bytes 4 B
  Fib10: allocs 1 allocs
  example.com/r/io.Read/1k: MB/s 1.5 MB/s
2a2b3c4 2026-01-05 "bb" "Go"
  Fib10: time 300 ns
1a2b3c4 0001-01-01 "Rust"
  fib: value 7 value
data.js:17: "head" is no hash of a commit
data.js:18: -1 ns/op of "x" is not a value of a benchmark
`
	if got := told(r); got != want || r.Format != GitHubActionBenchmark {
		t.Errorf("%s: %s\nwant\n%s", r.Format, got, want)
	}
	if at := r.Points[0].At; !at.Equal(time.UnixMilli(1767500000000)) {
		t.Errorf("measured at %v", at)
	}
	again := read(t, "data.js", strings.TrimPrefix(dataJSFile, "window.BENCHMARK_DATA = "))
	if again.Points[0].ID != r.Points[0].ID {
		t.Error("the same data as JSON are other points")
	}
}

func TestGoBench(t *testing.T) {
	r := read(t, "nightly.txt", `goos: linux
goarch: amd64
pkg: example.com/r/parse
cpu: Some CPU @ 3 GHz
commit: 1a2b3c4d5e6f
commit-time: 2026-01-02T03:04:05Z
BenchmarkParse-8   	 100	 30 ns/op	 7 B/op
BenchmarkParse-8   	 100	 10 ns/op	 7 B/op
BenchmarkParse-8   	 100	 20 ns/op	 7 B/op
BenchmarkParse-8   	 torn
BenchmarkParse/a=1-8	 50	 2.5 MB/s
PASS
ok  	example.com/r/parse	1.2s
commit: 2222222
pkg: example.com/r
BenchmarkRun-8   	 1	 2e9 ns/op	 5 frames/s
commit: none
BenchmarkRun-8   	 1	 2e9 ns/op
`)
	want := `1a2b3c4 2026-01-02 "Some CPU @ 3 GHz, linux/amd64"
  example.com/r/parse.Parse: time 20 ns
  example.com/r/parse.Parse: bytes 7 B
  example.com/r/parse.Parse/a=1: MB/s 2.5 MB/s
2222222 2026-01-02 "Some CPU @ 3 GHz, linux/amd64"
  example.com/r.Run: time 2e+09 ns
  example.com/r.Run: frames/s 5 frames/s
nightly.txt:10: parsing iteration count: invalid syntax
nightly.txt:18: "none" is no hash of a commit
`
	if got := told(r); got != want || r.Format != GoBench {
		t.Errorf("%s: %s\nwant\n%s", r.Format, got, want)
	}
	r = read(t, "/tmp/bench-1a2b3c4.txt", "BenchmarkA-4 1 5 ns/op\nBenchmarkB 1 5 ns/op\n")
	if got := told(r); got != "1a2b3c4 0001-01-01\n  A: time 5 ns\n  B: time 5 ns\n" {
		t.Errorf("by the name of the file: %s", got)
	}
}

func TestBencher(t *testing.T) {
	r := read(t, "1a2b3c4d5e.json", `{"BenchmarkParse": {"latency": {"value": 88.5, "lower_value": 87, "upper_value": 90}},
"x": {"throughput": {"value": 3},
  "file-size": {"value": 10}, "y": {}}}`)
	want := `1a2b3c4 0001-01-01
  Parse: time 88.5 ns
  x: operations/s 3 operations/s
  x: file-size 10 file-size
1a2b3c4d5e.json:3: "y" of "x" has no value
`
	if got := told(r); got != want || r.Format != Bencher {
		t.Errorf("%s: %s\nwant\n%s", r.Format, got, want)
	}
}

// What the repository knows of a commit goes before what a file says.
func TestCommitsOfTheRepository(t *testing.T) {
	whole := series.Commit{Hash: strings.Repeat("1a", 20), Time: time.Unix(1e9, 0).UTC(), Author: "git"}
	r, err := Read(t.Context(), strings.NewReader("commit: 1A1A1A1\nBenchmarkA 1 5 ns/op\ncommit: "+whole.Hash+"\nBenchmarkB 1 6 ns/op\n"),
		"f", Options{Commit: func(hash string) (series.Commit, bool) { return whole, strings.HasPrefix(whole.Hash, hash) }})
	if err != nil || len(r.Points) != 1 || r.Points[0].Commit != whole || len(r.Points[0].Values) != 2 || !r.Points[0].At.Equal(whole.Time) {
		t.Errorf("%+v, %v", r, err)
	}
}

// An error is a bad input with its place.
func TestFilesThatAreRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a", "", "a:1: there is no result of a benchmark in it"},
		{"a", "hello\n", "a:1: there is no result of a benchmark in it"},
		{"a.txt", "\nBenchmarkA 1 5 ns/op\n", `a.txt:2: no commit: a line "commit: HASH" before it says so, or a hash in the name of ` +
			"the file"},
		{"a", "commit: 1234567\nBenchmarkA " + strings.Repeat("x", 70_000), "a:1: bufio.Scanner: token too long"},
		{"d.js", "window.BENCHMARK_DATA = {\n\"entries\": {\n\"a\": 5}}", `d.js:3: want "[", have 5`},
		{"d.js", "window.BENCHMARK_DATA = {\n\"entries\": {\n\"a\": [{\"commit\":\n{\"id\": 7}}]}}", `d.js:3: "commit.id" is a number`},
		{"d.js", "window.BENCHMARK_DATA = {\n\"entries\": \n{]", "d.js:3: invalid character ']'"},
		{"d.js", "window.BENCHMARK_DATA = {\n\"entries\": {\n", "d.js:2: the file ends in the middle"},
		{"d.js", "window.BENCHMARK_DATA = ", "d.js:1: the file ends in the middle"},
		{"d.js", "window.BENCHMARK_DATA = {\"entries\": {}}\nalert(1)", `d.js:2: something follows the data: "alert(1)"`},
		{"d.js", "window.BENCHMARK_DATA = {\"entries\": {}}", "d.js:1: there is no result of a benchmark in it"},
		{"bmf.json", `{"a": {"latency": {"value": 1}}}`, "bmf.json:1: a file of Bencher does not say its commit: put the hash into " +
			"the name of the file, such as results-1a2b3c4.json"},
		{"1a2b3c4.json", "{\"a\":\n{\"latency\": 5}}", `1a2b3c4.json:2: "" is a number`},
		{"20260102.json", `{"a": {}}`, "20260102.json:1: a file of Bencher does not say its commit: put the hash into the name of the " +
			"file, such as results-1a2b3c4.json"},
		{"1a2b3c4.json", strings.Repeat(`{"a":`, 30), "import: 1a2b3c4.json: the imported file has more than 20 levels"},
	} {
		_, err := Read(t.Context(), strings.NewReader(c.text), c.name, Options{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || fail.KindOf(err) != fail.BadInput {
			t.Errorf("%.60q: %v, kind %v, want %s", c.text, err, fail.KindOf(err), c.want)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Read(stopped, strings.NewReader("x"), "a", Options{}); fail.KindOf(err) != fail.Interrupted {
		t.Errorf("Ctrl-C: %v", err)
	}
}

// check says that what was read can be kept.
func check(t *testing.T, name string, text []byte) {
	r, err := Read(t.Context(), strings.NewReader(string(text)), name, Options{Branch: "main"})
	if err != nil {
		if r.Points != nil || fail.KindOf(err) != fail.BadInput {
			t.Errorf("%v, kind %v", err, fail.KindOf(err))
		}
		return
	}
	if len(r.Points) == 0 {
		t.Error("no points and no error")
	}
	for _, p := range r.Points {
		if _, err := json.Marshal(p); err != nil || !hash.MatchString(p.Commit.Hash) || len(p.Values) == 0 {
			t.Errorf("%+v: %v", p, err)
		}
		for _, v := range p.Values {
			if v.Name == "" || v.Measure == "" || !(v.Absolute >= 0) || math.IsInf(v.Absolute, 0) {
				t.Errorf("%+v", v)
			}
		}
	}
	again := read(t, name, string(text))
	if len(again.Points) != len(r.Points) || again.Points[0].ID != r.Points[0].ID {
		t.Error("read again it is something else")
	}
}

func FuzzDataJS(f *testing.F) {
	f.Add([]byte(dataJSFile))
	f.Add([]byte(`{"lastUpdate":1,"entries":{"a":[{"commit":{"id":"1234567"},"date":-1e300,"benches":[{"name":"a - b","value":1e400,"unit":"b"}]}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) { check(t, "data.js", text) })
}

func FuzzBencher(f *testing.F) {
	f.Add([]byte(`{"Benchmark":{"latency":{"value":1}},"b":{"":{"value":0},"c":null}}`))
	f.Fuzz(func(t *testing.T, text []byte) { check(t, "1a2b3c4.json", text) })
}

func FuzzGoBench(f *testing.F) {
	f.Add([]byte("commit: 1234567\npkg: a\nBenchmarkA-8 1 5 ns/op 7 B/op\nUnit ns/op better=lower\ncommit: \xff\nBenchmarkB 1 NaN x\n"))
	f.Fuzz(func(t *testing.T, text []byte) { check(t, "1a2b3c4.txt", text) })
}
