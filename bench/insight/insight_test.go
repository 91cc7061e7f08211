package insight

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/golden"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
)

// TestMain lets tests run where the case does, in the directory bench.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// Each truth of the open half can be read, and its lines are in the program.
func TestOpenCorpus(t *testing.T) {
	c, err := openCorpus(false, "")
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, p := range c.programs {
		part := p.Part
		if p.NearMiss {
			part = "near miss"
		}
		n[part]++
	}
	for part, least := range map[string]int{"": 30, "near miss": 15, "waiting": 15, "pair": 10} {
		if n[part] < least {
			t.Errorf("%d of part %q, want %d", n[part], part, least)
		}
	}
}

// Each rule that a kind has exists.
func TestRulesOf(t *testing.T) {
	for kind, rules := range rulesOf {
		for _, name := range rules {
			if advice.RuleNamed(name) == nil {
				t.Errorf("%s: no rule %q", kind, name)
			}
		}
	}
}

// shop is a program with a defect in two lines.
func shop(t *testing.T) *program {
	p := &program{Name: "shop", dir: filepath.Join(t.TempDir(), "shop")}
	lines := make([]string, 40)
	lines[9], lines[29] = "\tfor {\t", "\tfor {"
	if err := put(filepath.Join(p.dir, "store", "a.go"), []byte(strings.Join(lines, "\n"))); err != nil {
		t.Fatal(err)
	}
	p.truth = truth{Kind: "fmt", Defect: []spot{{"store/a.go", "for {"}}, Load: load{Connections: 1}, Gain: map[string]float64{"cpu": 0.4}}
	return p
}

func TestAt(t *testing.T) {
	p := shop(t)
	if err := p.check(p.dir); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		file string
		line int64
		want bool
	}{
		{"/tmp/x/shop/store/a.go", 10, true}, {"/tmp/x/shop/store/a.go", 8, true}, {"shop/store/a.go", 32, true}, {"/tmp/x/shop/store/a.go", 13, false},
		{"/tmp/x/workshop/store/a.go", 10, false}, {"/tmp/x/shop/other/a.go", 10, false}, {"store/a.go", 10, false},
	} {
		if got := p.at(p.Defect, c.file, c.line); got != c.want {
			t.Errorf("%s:%d: %v, want %v", c.file, c.line, got, c.want)
		}
	}
	p.Defect[0].Text = "for true {"
	if err := p.check(p.dir); err == nil || !strings.Contains(err.Error(), `no line "for true {"`) {
		t.Errorf("a line that is not there: %v", err)
	}
}

func said(rule string, line int64, gain float64) found {
	return found{Rule: rule, Title: "does it", Measure: advice.CPU, Cost: gain + 0.01, Gain: gain, Place: code.Place{File: "/x/shop/store/a.go", Line: line}}
}

func TestJudge(t *testing.T) {
	p := shop(t)
	j := judgeFindings(p, record{Findings: []found{said("boxing", 20, 0.3), said("fmt-hot", 11, 0.5), said("fmt-hot", 30, 0.1)}})
	if j.Rank != 2 || !j.Kind || j.Held == nil || !*j.Held || j.Measured != 0.4 {
		t.Errorf("%+v, want the second, which is of the kind, with 50 %% for 40 %%", j)
	}
	if j := judgeFindings(p, record{Findings: []found{said("boxing", 30, 0.53)}}); j.Rank != 1 || j.Kind || *j.Held {
		t.Errorf("%+v, want the first, which is of another kind, with 53 %% for 40 %%", j)
	}
	if j := judgeFindings(p, record{}); j.Rank != 0 || j.Kind || j.Held != nil {
		t.Errorf("%+v of no findings", j)
	}
	p.NearMiss, p.Defect, p.WhyNot = true, nil, "it is meant"
	if j := judgeFindings(p, record{Findings: []found{said("boxing", 30, 0.5), said("fmt-hot", 30, 0.01), said("fmt-hot", 38, 0.03)}}); len(j.False) != 1 || j.False[0].Place.Line != 38 {
		t.Errorf("%+v, want the third to be false", j.False)
	}
}

// The document has the goals, each program, and what was said where it was not right.
func TestDocument(t *testing.T) {
	right, miss := shop(t), shop(t)
	pair := shop(t)
	pair.Name, pair.truth = "ferry", truth{Part: "pair", About: "The cargo is weighed twice.", Measure: "cpu", Word: "slower", Change: map[string]float64{"cpu": 1.5},
		Causes: []cause{{Side: next, Function: "(*ferry).load"}}}
	miss.Name, miss.NearMiss, miss.WhyNot = "kiosk", true, "It formats once."
	kiosk := said("fmt-hot", 30, 0.2)
	day := time.Date(2026, 11, 28, 5, 0, 0, 0, time.UTC)
	then := bed.Entry{At: day}
	records := []record{
		{Entry: bed.Entry{At: day, Session: &bed.Session{Schema: resultsSchema, Hone: "hone 1",
			Machine: []string{"machine   a small one"}, Command: "go run . insight"}}},
		{Entry: then, Program: "shop", Findings: []found{said("fmt-hot", 10, 0.35)}},
		{Entry: then, Program: "shop", Closed: true},
		{Entry: then, Program: "kiosk", Findings: []found{kiosk}},
		{Entry: then, Program: "ferry", Pair: &compared{Word: "slower", On: "cpu", Ratio: 1.4, Lines: []string{"why: +30 % ferry/b.go:3 main.run", "not explained by functions: +10 % of +40 %"}}},
		{Entry: then, Program: "harbor", Failed: "run hone run: exit status 3\nno port"},
	}
	got := &bed.Result{}
	bed.Origin(got, records)
	write(got, records, &corpus{programs: []*program{right, miss, pair}})
	golden.Check(t, "insight/testdata/document.txt", got.Text())
	if !has(records, "shop", false, bed.OfVersion("hone 1")) || has(records, "harbor", false, bed.OfVersion("hone 1")) || has(records, "shop", false, bed.OfVersion("hone 2")) {
		t.Error("what was measured, failed, or was measured by another version is not told apart")
	}
}

// An archive is unpacked only if it has the committed hash, and nothing outside of the corpus is written.
func TestUnpackClosed(t *testing.T) {
	from := t.TempDir()
	pack := func(name string) {
		var packed bytes.Buffer
		zipped := gzip.NewWriter(&packed)
		files := tar.NewWriter(zipped)
		if err := files.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: 2, Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		_, _ = files.Write([]byte("ab"))
		_, _ = files.Close(), zipped.Close()
		for path, text := range map[string][]byte{
			"closed-x.tar.gz": packed.Bytes(), "closed-x.sha256": fmt.Appendf(nil, "%x  closed-x.tar.gz\n", sha256.Sum256(packed.Bytes())), "go.mod": []byte("module corpus\n"),
		} {
			if err := put(filepath.Join(from, path), text); err != nil {
				t.Fatal(err)
			}
		}
	}
	to := filepath.Join(t.TempDir(), "corpus")
	pack("shop/main.go")
	if err := unpackClosed(from, to); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"shop/main.go", "go.mod"} {
		if _, err := os.Stat(filepath.Join(to, name)); err != nil {
			t.Error(err)
		}
	}
	pack("../outside.go")
	if err := unpackClosed(from, to); err == nil || !strings.Contains(err.Error(), "outside") {
		t.Errorf("a file outside of the corpus: %v", err)
	}
	if err := put(filepath.Join(from, "closed-x.sha256"), []byte("00  closed-x.tar.gz\n")); err != nil {
		t.Fatal(err)
	}
	if err := unpackClosed(from, to); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("another hash: %v", err)
	}
}

func TestLoadFlags(t *testing.T) {
	got := load{Method: "POST", Path: words{"/a", "/b"}, Headers: map[string]string{"B": "2", "A": "1"}, Body: "{}", Connections: 8}.flags()
	want := []string{"--env", "PORT={port}", "-c", "8", "-m", "POST", "-H", "A: 1", "-H", "B: 2", "--set", "raw", "--body", "{}",
		"--target", "http://127.0.0.1:{port}/a", "--also", "/b"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for want, l := range map[string]load{
		"ws://127.0.0.1:{port}/desk": {Path: words{"/desk"}, WebSocket: true}, "tcp://127.0.0.1:{port}": {TCP: &tcp{Send: "hex:00"}},
		"http://127.0.0.1:{port}/a.B/C": {Path: words{"/a.B/C"}, GRPC: true},
	} {
		got := l.flags()
		if i := slices.Index(got, "--target"); got[i+1] != want || slices.Contains(got, "--http2") != l.GRPC {
			t.Errorf("%q, want %s", got, want)
		}
	}
}
