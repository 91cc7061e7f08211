package bisect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/judge"
)

// simulated is a subject whose measure is known, with normal errors.
type simulated struct {
	levels map[string]float64 // by commit
	err    float64
	rng    *rand.Rand
	refuse map[string]string
	same   map[string]bool // as the good end
	asked  int
	stopAt int // cancels after so many comparisons
	cancel context.CancelFunc
	wholes []string
}

var cpu = judge.Measure{Key: "cpu", Name: "CPU per request", Unit: "ns", Better: judge.Lower, Level: judge.PerSlice}

func (s *simulated) Prepare(context.Context, *trees, git.Commit, git.Commit) ([]string, error) {
	return []string{"."}, nil
}

func (s *simulated) Matters(file string, _ bool) bool { return strings.HasSuffix(file, ".go") }

func (s *simulated) Command(a, b string, _ commitsearch.Target) string {
	return a[:4] + " against " + b[:4]
}

func (s *simulated) Compare(_ context.Context, a, b git.Commit, q Question) (*Reply, error) {
	s.asked++
	if s.asked == s.stopAt {
		s.cancel()
		return nil, errors.New("interrupted")
	}
	if text := s.refuse[b.Hash]; text != "" {
		return &Reply{Refused: text}, nil
	}
	if q.Probe && s.same[b.Hash] {
		return &Reply{Same: true}, nil
	}
	if !q.Probe {
		s.wholes = append(s.wholes, a.Subject+" "+b.Subject)
	}
	sd := s.err
	if !q.Probe {
		sd /= 2
	}
	log := s.levels[b.Hash] - s.levels[a.Hash] + sd*s.rng.NormFloat64()
	v := judge.Verdict{Measure: cpu, Word: judge.Same, A: 1000, B: 1000 * math.Exp(log), Ratio: math.Exp(log),
		Low: math.Exp(log - 2*sd), High: math.Exp(log + 2*sd), Conf: 0.95, Delta: 0.01, Starts: 40}
	switch {
	case v.Low > 1:
		v.Word = judge.Slower
	case v.High < 1:
		v.Word = judge.Faster
	}
	return &Reply{Verdicts: []commitsearch.TargetVerdict{{Target: commitsearch.Target{Measure: cpu}, Verdict: v}},
		Go: [2]string{"go1.26", "go1.26"}}, nil
}

// silent hears nothing.
type silent struct{}

func (silent) Phase(string, time.Duration) {}
func (silent) Tick(progress.Tick)          {}
func (silent) Warn(string)                 {}

// repository is one of n commits after a first one; quiet says which of them change a document only. It returns its
// directory, and the hashes from the first one on. With merges, each of these numbers is a merge of a branch of three
// commits.
func repository(t *testing.T, n int, quiet func(i int) bool, merges ...int) (dir string, commits []string) {
	t.Helper()
	dir = t.TempDir()
	var b bytes.Buffer
	mark := 0
	add := func(branch, subject, file, text string, parents ...string) string {
		mark++
		fmt.Fprintf(&b,
			"commit refs/heads/%s\nmark :%d\nauthor A <a@example.com> %d +0000\ncommitter A <a@example.com> %d +0000\ndata %d\n%s\n", branch, mark, 1700000000+60*mark, 1700000000+60*mark, len(subject), subject)
		for i, p := range parents {
			fmt.Fprintf(&b, "%s %s\n", []string{"from", "merge"}[min(1, i)], p)
		}
		if file != "" {
			fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", file, len(text), text)
		}
		return fmt.Sprintf(":%d", mark)
	}
	last := add("main", "c0", "main.go", "package main // 0\n")
	for i := 1; i <= n; i++ {
		file := "main.go"
		if quiet != nil && quiet(i) {
			file = "README.md"
		}
		if slices.Contains(merges, i) {
			tip := last
			for k := range 3 {
				tip = add("side", fmt.Sprintf("c%d.%d", i, k), fmt.Sprintf("side%d.go", i),
					fmt.Sprintf("package main // %d.%d\n", i, k), tip)
			}
			last = add("main", fmt.Sprintf("c%d", i), "", "", last, tip)
			continue
		}
		last = add("main", fmt.Sprintf("c%d", i), file,
			fmt.Sprintf("package main // %d\n\nfunc work() int {\n\treturn %d\n}\n", i, i), last)
	}
	run := func(stdin io.Reader, args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Stdin = dir, stdin
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run(nil, "init", "-q", "-b", "main")
	run(&b, "fast-import", "--quiet")
	run(nil, "checkout", "-q", "main")
	return dir, strings.Fields(run(nil, "rev-list", "--first-parent", "--reverse", "main"))
}

// levels are those of a history in which the commits at these numbers change the measure.
func levels(commits []string, steps map[int]float64) map[string]float64 {
	all, level := map[string]float64{}, 0.0
	for i, c := range commits {
		level += steps[i]
		all[c] = level
	}
	return all
}

func request(dir, good string, s *simulated) Task {
	return Task{Dir: dir, Good: good, Bad: "main", Measurer: s, Log: &Log{}, Progress: silent{}}
}

func TestFindsTheCommit(t *testing.T) {
	dir, commits := repository(t, 120, func(i int) bool { return i%3 == 0 })
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		at := 1 + rng.IntN(120)
		if at%3 == 0 {
			at--
		}
		s := &simulated{levels: levels(commits, map[int]float64{at: 0.12}), err: 0.02, rng: rng}
		r, err := Run(t.Context(), request(dir, commits[0], s))
		if err != nil {
			t.Fatal(err)
		}
		if r.Stopped != commitsearch.Found || len(r.Steps) != 1 || r.Steps[0].Commits[0].Hash != commits[at] ||
			!r.Steps[0].Confirmed() {
			t.Fatalf("c%d: %s, %+v", at, r.Stopped, r.Steps)
		}
		if r.Quiet != 40 || len(r.Probes) > 12 {
			t.Errorf("%d quiet commits, %d probes", r.Quiet, len(r.Probes))
		}
		step := r.Steps[0]
		if want := fmt.Sprintf("c%d c%d", at-1, at); s.wholes[len(s.wholes)-1] != want {
			t.Errorf("compared %q last, want %q", s.wholes[len(s.wholes)-1], want)
		}
		if len(step.Hunks) != 1 || step.Hunks[0].File != "main.go" ||
			!slices.Contains(step.Hunks[0].Lines, fmt.Sprintf("+	return %d", at)) && at > 1 {
			t.Errorf("hunks %+v", step.Hunks)
		}
		if len(r.Curve) != 81 {
			t.Errorf("%d places", len(r.Curve))
		}
	}
}

// Where the ends do not differ, nothing is searched.
func TestNothingToFind(t *testing.T) {
	dir, commits := repository(t, 20, nil)
	s := &simulated{levels: levels(commits, nil), err: 0.001, rng: rand.New(rand.NewPCG(1, 3))}
	r, err := Run(t.Context(), request(dir, commits[0], s))
	if err != nil || r.Stopped != commitsearch.Nothing || s.asked != 1 {
		t.Errorf("%v, %+v after %d comparisons", err, r, s.asked)
	}
}

// Commits that cannot be measured stay in the answer if they may be the one.
func TestSkippedCommitsStayInTheAnswer(t *testing.T) {
	dir, commits := repository(t, 60, nil)
	s := &simulated{levels: levels(commits, map[int]float64{31: 0.2}), err: 0.02, rng: rand.New(rand.NewPCG(1, 4)),
		refuse: map[string]string{}}
	for i := 25; i < 32; i++ {
		s.refuse[commits[i]] = "it does not build"
	}
	r, err := Run(t.Context(), request(dir, commits[0], s))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range r.Steps[0].Commits {
		names = append(names, c.Subject)
	}
	if got := strings.Join(names, " "); got != "c25 c26 c27 c28 c29 c30 c31 c32" {
		t.Errorf("one of %s", got)
	}
}

// A commit that was taken to change nothing, and does, is still found.
func TestCommitTakenToChangeNothing(t *testing.T) {
	dir, commits := repository(t, 60, func(i int) bool { return i%2 == 0 })
	s := &simulated{levels: levels(commits, map[int]float64{30: 0.2}), err: 0.02, rng: rand.New(rand.NewPCG(1, 5))}
	r, err := Run(t.Context(), request(dir, commits[0], s))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Steps) != 1 || r.Steps[0].Commits[0].Subject != "c30" {
		t.Errorf("%s: %+v", r.Stopped, r.Steps)
	}
}

// With All each step is found, also of opposite directions that the comparison of the ends hardly shows.
func TestFindsAllSteps(t *testing.T) {
	dir, commits := repository(t, 100, nil)
	s := &simulated{levels: levels(commits, map[int]float64{20: 0.1, 50: -0.06, 77: 0.04}), err: 0.006,
		rng: rand.New(rand.NewPCG(1, 6))}
	q := request(dir, commits[0], s)
	q.All, q.Every = true, 20
	r, err := Run(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, step := range r.Steps {
		names = append(names, step.Commits[0].Subject)
	}
	if got := strings.Join(names, " "); got != "c20 c50 c77" {
		t.Errorf("found %s in %d probes, %s", got, len(r.Probes), r.Stopped)
	}
}

// What the largest step leaves of the difference is said.
func TestRestOfTheDifference(t *testing.T) {
	dir, commits := repository(t, 100, nil)
	s := &simulated{levels: levels(commits, map[int]float64{20: 0.2, 70: -0.1}), err: 0.006,
		rng: rand.New(rand.NewPCG(1, 7))}
	r, err := Run(t.Context(), request(dir, commits[0], s))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Steps) != 1 || r.Steps[0].Commits[0].Subject != "c20" || math.Abs(math.Log(r.Rest)+0.1) > 0.02 {
		t.Errorf("rest %.3f of %+v", r.Rest, r.Steps)
	}
}

// Within a merge the search goes on.
func TestFindsTheCommitWithinAMerge(t *testing.T) {
	dir, commits := repository(t, 30, nil, 12)
	all := levels(commits, map[int]float64{12: 0.15})
	branch := strings.Fields(string(mustGit(t, dir, "rev-list", "--reverse", "--first-parent",
		commits[11]+".."+commits[12]+"^2")))
	for i, c := range branch { // the second of three does it
		if all[c] = 0; i >= 1 {
			all[c] = 0.15
		}
	}
	s := &simulated{levels: all, err: 0.02, rng: rand.New(rand.NewPCG(1, 8))}
	r, err := Run(t.Context(), request(dir, commits[0], s))
	if err != nil {
		t.Fatal(err)
	}
	step := r.Steps[0]
	if step.Commits[0].Subject != "c12.1" || step.Merged == nil || step.Merged.Subject != "c12" {
		t.Errorf("%+v", step)
	}
	q := request(dir, commits[0], s)
	q.FirstParent = true
	if r, err = Run(t.Context(), q); err != nil || r.Steps[0].Commits[0].Subject != "c12" {
		t.Errorf("%v: %+v", err, r.Steps)
	}
}

func mustGit(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// An interrupted search goes on with its log, and ends as one that was not.
func TestGoesOnWithItsLog(t *testing.T) {
	dir, commits := repository(t, 120, nil)
	all := levels(commits, map[int]float64{77: 0.12})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var log bytes.Buffer
	s := &simulated{levels: all, err: 0.02, rng: rand.New(rand.NewPCG(1, 9)), stopAt: 5, cancel: cancel}
	q := request(dir, commits[0], s)
	q.Log.Out = &log
	r, err := Run(ctx, q)
	if fail.KindOf(err) != fail.Interrupted || r.Stopped != commitsearch.Interrupted || len(r.Probes) != 3 {
		t.Fatalf("%v: %s after %d probes", err, r.Stopped, len(r.Probes))
	}
	if out := mustGit(t, dir, "log", "-1", "--format=%H"); strings.TrimSpace(string(out)) != commits[120] {
		t.Errorf("the working tree is at %s", out)
	}
	entries, err := ReadLog("log", bytes.NewReader(log.Bytes()))
	if err != nil || len(entries) != 4 {
		t.Fatalf("%v: %d entries of\n%s", err, len(entries), log.String())
	}
	again := &simulated{levels: all, err: 0.02, rng: rand.New(rand.NewPCG(1, 10))}
	q = request(dir, commits[0], again)
	q.Log.Earlier = entries
	if r, err = Run(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if r.Steps[0].Commits[0].Subject != "c77" || again.wholes[0] != "c76 c77" {
		t.Errorf("%+v, compared in full: %q", r.Steps, again.wholes)
	}
}

// git reads the log, and says the same.
func TestGitReplaysTheLog(t *testing.T) {
	dir, commits := repository(t, 60, nil)
	var log bytes.Buffer
	s := &simulated{levels: levels(commits, map[int]float64{33: 0.12}), err: 0.02, rng: rand.New(rand.NewPCG(1, 11))}
	q := request(dir, commits[0], s)
	q.Log.Out = &log
	if _, err := Run(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/log"
	if err := os.WriteFile(file, log.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out := string(mustGit(t, dir, "bisect", "replay", file))
	if !strings.Contains(out, commits[33]+" is the first bad commit") {
		t.Errorf("git says\n%s\nof\n%s", out, log.String())
	}
}

// A log of git bisect alone is enough to begin with.
func TestReadsALogOfGit(t *testing.T) {
	entries, err := ReadLog("log",
		strings.NewReader("# bad: [b] x\ngit bisect start 'b' 'a'\n# good: [c] y\ngit bisect good c\ngit bisect skip d e\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Entry{{Commit: "c", Word: "good"}, {Commit: "d", Skipped: "skipped by log"},
		{Commit: "e", Skipped: "skipped by log"}}
	if !slices.EqualFunc(entries, want, func(a, b Entry) bool {
		return a.Commit == b.Commit && a.Word == b.Word && a.Skipped == b.Skipped
	}) {
		t.Errorf("%+v", entries)
	}
	if _, err := ReadLog("log", strings.NewReader("git bisect run make\n")); fail.KindOf(err) != fail.BadInput ||
		!strings.Contains(err.Error(), "log:1:") {
		t.Errorf("%v", err)
	}
	if _, err := ReadLog("log", strings.NewReader("# hone {\"commit\":\n")); fail.KindOf(err) != fail.BadInput {
		t.Errorf("%v", err)
	}
}

func TestEndsAreChecked(t *testing.T) {
	dir, commits := repository(t, 3, nil)
	for name, q := range map[string]Task{
		"one commit":    {Good: "main"},
		"is older than": {Good: commits[3], Bad: commits[1]},
		"git ref":       {Good: "nowhere"},
	} {
		q.Dir, q.Measurer, q.Log, q.Progress = dir, &simulated{}, &Log{}, silent{}
		if q.Bad == "" {
			q.Bad = "main"
		}
		if _, err := Run(t.Context(), q); fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzReadLog(f *testing.F) {
	f.Add([]byte("# hone bisect 1\ngit bisect start 'b' 'a'\n# hone {\"commit\":\"c\",\"log\":0.1,\"err\":0.01}\ngit bisect bad c\n"))
	f.Add([]byte(`# hone {"commit":"0123456789","from":"abcdef0","target":{"package":"p","benchmark":"Work","measure":{"key":"time"}},"whole":{"verdict":{"verdict":"slower","ratio":2,"low":1.9,"high":2.1,"conf":0.95,"starts":5},"took_ns":1}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, err := ReadLog("log", bytes.NewReader(text))
		if err != nil && fail.KindOf(err) != fail.BadInput {
			t.Errorf("%v", err)
		}
		for _, e := range entries { // a search goes on with what is read
			if e.Whole != nil && (e.Target == nil || !(e.Whole.Verdict.Ratio > 0) ||
				strings.ContainsAny(e.Target.Benchmark, "\n\x1b")) || len(e.Commit) == 0 {
				t.Errorf("%+v is taken over", e)
			}
		}
	})
}

// A log that hone did not write is refused with its line, whatever a search would do with it: no verdict, a ratio of 0,
// numbers and names beyond all measure.
func TestForgedLogs(t *testing.T) {
	hash := strings.Repeat("a", 40)
	const verdict = `"verdict":{"verdict":"slower","ratio":2,"low":1.9,"high":2.1,"conf":0.95,"starts":5}`
	whole := func(target, of string) string {
		return `{"commit":"` + hash + `","target":` + target + `,"whole":` + of + `}`
	}
	const target = `{"package":"example.com/p","benchmark":"Work","measure":{"key":"time","name":"time"}}`
	for entry, want := range map[string]string{
		whole(target, `{`+verdict+`,"took_ns":5}`):                         "",
		`{"commit":"` + hash + `","log":0.1,"err":0.01}`:                   "",
		whole(target, `{"took_ns":1}`):                                     "has no verdict",
		whole(target, `{"verdict":{"ratio":0,"low":0,"high":0}}`):          "nothing to search for",
		whole(target, `{"verdict":{"verdict":"slower","ratio":0}}`):        "has no size",
		whole(target, strings.Replace(`{`+verdict+`}`, `2,`, `1e300,`, 1)): "has no size",
		whole(target, strings.Replace(`{`+verdict+`}`, `1.9`, `2.05`, 1)):  "has no size",
		whole(target, `{`+verdict+`,"took_ns":9223372036854775807}`):       "took 2562047h",
		whole(target,
			`{`+verdict+`,"comparison":"../../etc/passwd"}`): "not the name of a comparison",
		whole(target, `{`+verdict+`,"others":[{"verdict":{"ratio":1}}]}`):                    "has no measure",
		`{"commit":"` + hash + `","whole":{` + verdict + `}}`:                                "has no target",
		whole(strings.Replace(target, "Work", `Work\u001b[2J\nnext: x`, 1), `{`+verdict+`}`): "is not a name",
		whole(strings.Replace(target, "example.com/p", "-toolexec=sh", 1), `{`+verdict+`}`):  "is not a name",
		`{"commit":"HEAD; id"}`:                   "not a hash",
		`{}`:                                      "not a hash",
		`{"commit":"` + hash + `","log":1e308}`:   "is not between",
		`{"commit":"` + hash + `","err":-1}`:      "is not between",
		`{"commit":"` + hash + `","same":"ugly"}`: "neither good nor bad",
	} {
		_, err := ReadLog("log", strings.NewReader("\n# hone "+entry+"\n"))
		if want == "" && err != nil || want != "" &&
			(err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "log:2: ") ||
				fail.KindOf(err) != fail.BadInput) {
			t.Errorf("%s: %v, want %q", entry, err, want)
		}
	}
	for text, want := range map[string]string{
		"git bisect skip" + strings.Repeat(" a", 100_001): "more than 100,000 values",
		"# " + strings.Repeat("x", 2<<20):                 "log:1: the line has more than 1048576 bytes",
		strings.Repeat("# x\n", 5<<20):                    "more than 16 MiB",
	} {
		if _, err := ReadLog("log", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) ||
			fail.KindOf(err) != fail.BadInput {
			t.Errorf("%.20s: %v, want %q", text, err, want)
		}
	}
}
