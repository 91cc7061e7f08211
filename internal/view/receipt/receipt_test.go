package receipt

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/judge/repeat"
	"github.com/gohone/hone/internal/program/touches"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// verdict is one on a measure with its interval, as the judge makes it.
func verdict(m judge.Measure, word judge.Word, a, low, high float64) judge.Verdict {
	ratio := math.Sqrt(low * high)
	return judge.Verdict{Measure: m, Word: word, A: a, B: a * ratio, Ratio: ratio, Low: low, High: high, Conf: 0.95,
		EquivalenceLow: math.Sqrt(low * ratio), EquivalenceHigh: math.Sqrt(high * ratio), P: 0.01, Level: 0.02,
		Starts: 9, Pairs: 200, Alpha: 0.05, Delta: 0.01, Resolution: math.Sqrt(high/low) - 1, Detectable: 0.01,
		Method: judge.SignFlip}
}

// example is a receipt of a comparison of services, with a gate that passed.
func example(t testing.TB) *Receipt {
	t.Helper()
	g, err := gate.Parse("cpu<+2%")
	if err != nil {
		t.Fatal(err)
	}
	cpu := verdict(measure.CPU, judge.Faster, 14000, 0.90, 0.94)
	outcome, reason := g.Judge(cpu)
	return &Receipt{
		Comparison: "0123abcd", Document: strings.Repeat("0f", 32), Started: time.Unix(1.8e9, 0).UTC(), Elapsed: 3e10,
		Tries: Tries{2, 3}, Repository: Repository{"https://example.com/x/y.git", "."},
		Sides: []Side{
			{Name: "A", Source: strings.Repeat("a", 40) + ":cmd/x", Commit: strings.Repeat("a", 40),
				Tree: strings.Repeat("c", 40), GoVersion: "go1.26.8"},
			{Name: "B", Source: strings.Repeat("b", 40) + ":cmd/x", Commit: strings.Repeat("b", 40),
				Tree: strings.Repeat("d", 40), GoVersion: "go1.26.8"}},
		Line:        spec.Line{"compare", "a", "b", "--gate=cpu<+2%"},
		Environment: record.Environment{Hone: "v1.2.3"},
		Claims: []Claim{{Of: "B", Word: judge.Faster, Leads: "cpu", Verdicts: []judge.Verdict{cpu,
			verdict(measure.Allocs, judge.Same, 12, 0.998, 1.002)},
			Gates: []gate.Result{{Gate: g, Variant: "B", Outcome: outcome, Reason: reason}}}},
	}
}

func written(t testing.TB, r *Receipt) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAReceiptIsReadAsItWasWritten(t *testing.T) {
	text := written(t, example(t))
	r, err := Read(context.Background(), "r.json", text)
	if err != nil {
		t.Fatal(err)
	}
	if again := written(t, r); !bytes.Equal(again, text) {
		t.Errorf("read and written again it is\n%s\nwant\n%s", again, text)
	}
	var compact bytes.Buffer // white space says nothing
	if err := json.Compact(&compact, text); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(context.Background(), "r.json", compact.Bytes()); err != nil {
		t.Error(err)
	}
}

// Each digit and each letter of a receipt that is another one is noticed, with its place or what does not fit.
func TestEachEditIsNoticed(t *testing.T) {
	text := written(t, example(t))
	edits := 0
	for i, c := range text {
		with := byte('x')
		switch {
		case c >= '0' && c <= '9':
			with = '0' + (c-'0'+1)%10
		case c >= 'a' && c <= 'w':
			with = c + 1
		case strings.IndexByte(" \nx", c) >= 0:
			continue
		}
		edited := bytes.Clone(text)
		edited[i] = with
		if _, err := Read(context.Background(), "r.json", edited); err == nil {
			t.Errorf("an edit at byte %d is not noticed: %q", i, edited[max(0, i-30):min(len(edited), i+10)])
		} else if fail.ExitCode(err) != 2 || !strings.HasPrefix(err.Error(), "r.json:") {
			t.Errorf("an edit at byte %d: %v", i, err)
		}
		edits++
	}
	t.Logf("%d edits", edits)
}

// A count that every run has alike has an interval without width, and half of that is a rounding error.
func TestAnIntervalWithoutWidth(t *testing.T) {
	v := verdict(measure.CPU, judge.Slower, 37, 38.0/37, 38.0/37)
	v.Resolution = 1.734723475976807e-18
	if err := checkVerdict(&v); err != nil {
		t.Error(err)
	}
}

// Who edits a figure and makes the digest anew is noticed where other figures say otherwise.
func TestAForgedFigureDoesNotFitTheOthers(t *testing.T) {
	for name, edit := range map[string]func(*Receipt){
		"estimate":        func(r *Receipt) { r.Claims[0].Verdicts[0].Ratio = 0.7 },
		"value":           func(r *Receipt) { r.Claims[0].Verdicts[0].B *= 0.8 },
		"baseline":        func(r *Receipt) { r.Claims[0].Verdicts[0].A *= 1.3 },
		"lower end":       func(r *Receipt) { r.Claims[0].Verdicts[0].Low = 0.85 },
		"upper end":       func(r *Receipt) { r.Claims[0].Verdicts[0].High = 0.921 },
		"width":           func(r *Receipt) { r.Claims[0].Verdicts[0].Resolution = 0.001 },
		"p":               func(r *Receipt) { r.Claims[0].Verdicts[0].P = 0.3 },
		"word":            func(r *Receipt) { r.Claims[0].Word = judge.Same },
		"word of measure": func(r *Receipt) { r.Claims[0].Verdicts[0].Word = judge.Slower },
		"equality":        func(r *Receipt) { r.Claims[0].Verdicts[1].EquivalenceHigh = 1.2 },
		"leads":           func(r *Receipt) { r.Claims[0].Leads = "allocs" },
		"gate":            func(r *Receipt) { r.Claims[0].Gates[0].Outcome = gate.Failed },
		"limit":           func(r *Receipt) { r.Claims[0].Gates[0].Gate.Limit = 0.5 },
		"tries":           func(r *Receipt) { r.Tries.Of = 1 },
		"tree":            func(r *Receipt) { r.Sides[0].Tree = "--upload-pack=x" },
		"command":         func(r *Receipt) { r.Line[0] = "trust" },
		"no command":      func(r *Receipt) { r.Line = nil },
		"claim twice":     func(r *Receipt) { r.Claims = append(r.Claims, r.Claims[0]) },
	} {
		r := example(t)
		edit(r)
		_, err := Read(context.Background(), "r.json", written(t, r))
		if fail.ExitCode(err) != 2 || fail.HintOf(err) == "" || !strings.Contains(fmt.Sprint(err), "receipt.") &&
			!strings.HasPrefix(fmt.Sprint(err), "r.json:") {
			t.Errorf("%s: %v", name, err)
		}
		t.Logf("%s: %v", name, err)
	}
}

func TestWhatIsNoReceipt(t *testing.T) {
	good := string(written(t, example(t)))
	for name, c := range map[string]struct{ text, want string }{
		"nothing":     {"", "r.json:1:1"},
		"a list":      {"[]", "r.json:1:"},
		"newer":       {strings.Replace(good, Format, "hone.receipt/2", 1), `"hone.receipt/2", and this hone reads`},
		"unknown key": {strings.Replace(good, `"comparison"`, `"cheat": 1, "comparison"`, 1), "r.json:5:"},
		"key twice":   {strings.Replace(good, `"place": 2,`, `"place": 1, "place": 2,`, 1), "hone does not write"},
		"other case":  {strings.Replace(good, `"place"`, `"Place"`, 1), "hone does not write"},
		"cut":         {good[:len(good)/2], "r.json:"},
		"more":        {good + "{}", "r.json:"},
		"deep":        {strings.Repeat("[", 100_000), "levels"},
		"long":        {"[" + strings.Repeat("1,", 500_000) + "1]", "400,000 values"},
	} {
		_, err := Read(context.Background(), "r.json", []byte(c.text))
		if fail.ExitCode(err) != 2 || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: %.300v, want %s", name, err, c.want)
		}
	}
}

func TestHold(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*Receipt)
		want repeat.Answer
	}{
		"the same": {func(*Receipt) {}, repeat.Holds},
		"no gain": {func(r *Receipt) {
			r.Claims[0].Word = judge.Same
			r.Claims[0].Verdicts[0] = verdict(measure.CPU, judge.Same, 14000, 0.998, 1.002)
		}, repeat.Refuted},
		"a wide interval": {func(r *Receipt) {
			r.Claims[0].Word = judge.Undecided
			r.Claims[0].Verdicts[0] = verdict(measure.CPU, judge.Undecided, 14000, 0.85, 1.10)
		}, repeat.Open},
		"a figure beside the verdict": {func(r *Receipt) {
			r.Claims[0].Verdicts[1] = verdict(measure.Allocs, judge.Slower, 12, 1.4, 1.5)
		}, repeat.Open},
		"a gate fails": {func(r *Receipt) { r.Claims[0].Gates[0].Outcome = gate.Failed }, repeat.Refuted},
		"less work": {func(r *Receipt) {
			r.Claims[0].Caveats = []record.Caveat{{Name: record.CaveatWrites, Text: "it writes less", Open: true}}
		}, repeat.Refuted},
		"the same code": {func(r *Receipt) {
			r.Claims[0] = Claim{Of: "B", Word: judge.Same}
		}, repeat.Refuted},
		"it is not there": {func(r *Receipt) { r.Claims = nil }, repeat.Open},
	} {
		again := example(t)
		c.edit(again)
		if o := Hold(example(t), again); o.Answer != c.want || o.Reason == "" {
			t.Errorf("%s: %q (%s), want %q", name, o.Answer, o.Reason, c.want)
		}
	}
	nothing := example(t)
	nothing.Claims = []Claim{{Of: "B", Word: judge.Undecided}}
	if o := Hold(nothing, nothing); o.Answer != repeat.Open {
		t.Errorf("a receipt that claims nothing: %q", o.Answer)
	}
	other := example(t)
	other.Sides[1].Tree = strings.Repeat("e", 40)
	if err := SameSides(example(t), other); fail.ExitCode(err) != 2 {
		t.Errorf("receipts of other trees: %v", err)
	}
}

// A benchmark has the number of CPUs in its name, which is another one on another machine.
func TestHoldABenchmarkOnMoreCPUs(t *testing.T) {
	r, again := example(t), example(t)
	r.Environment.CPUs, again.Environment.CPUs = 2, 16
	r.Claims[0].Of, again.Claims[0].Of = "example.com/x.Parse-2", "example.com/x.Parse-16"
	if o := Hold(r, again); o.Answer != repeat.Holds {
		t.Errorf("%q: %s", o.Answer, o.Reason)
	}
	again.Claims[0].Of = "example.com/x.Parse-4"
	if o := Hold(r, again); o.Answer != repeat.Open {
		t.Errorf("another benchmark: %q: %s", o.Answer, o.Reason)
	}
}

func TestAddressesHaveNoCredentials(t *testing.T) {
	for remote, want := range map[string]string{
		"https://user:secret@example.com/x/y.git": "https://example.com/x/y.git",
		"https://example.com/x?token=secret":      "https://example.com/x",
		"ssh://git:secret@example.com/x":          "ssh://git@example.com/x",
		"git@example.com:x/y.git":                 "git@example.com:x/y.git",
		"/home/me/x":                              "",
		"ext::sh -c x":                            "",
		"":                                        "",
	} {
		if got := withoutUser(remote); got != want {
			t.Errorf("%s: %q, want %q", remote, got, want)
		}
	}
}

// FuzzRead reads what a stranger wrote: what is read is written as it was, but for white space.
func FuzzRead(f *testing.F) {
	f.Add(written(f, example(f)))
	f.Add([]byte(`{"format":"hone.receipt/1","sha256":"","receipt":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(context.Background(), "r.json", text)
		if err != nil {
			if code := fail.ExitCode(err); code != 2 {
				t.Errorf("exit %d: %v", code, err)
			}
			return
		}
		var was, is bytes.Buffer
		if json.Compact(&was, text) != nil || json.Compact(&is, written(t, r)) != nil ||
			!bytes.Equal(was.Bytes(), is.Bytes()) {
			t.Errorf("it was read, and is written as another one")
		}
		Hold(r, r)
	})
}

// patched is the example as a receipt of a patch, which passed a check.
func patched(t testing.TB) *Receipt {
	r := example(t)
	r.Checked = []record.Checked{{Variant: "B", Base: r.Sides[0].Commit, Files: 2, Packages: []string{"x", "x/y"}, Tests: 9,
		Allowed: []touches.Touch{{Kind: touches.Unsafe, File: "x/a.go", Line: 3, Text: `import "unsafe"`}}}}
	return r
}

// What two trees show of a patch is the same everywhere; how many tests pass may depend on the machine.
func TestHoldTheCheckOfAPatch(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*record.Checked)
		want repeat.Answer
	}{
		"the same":          {func(*record.Checked) {}, repeat.Holds},
		"more tests":        {func(c *record.Checked) { c.Tests++ }, repeat.Holds},
		"fewer tests":       {func(c *record.Checked) { c.Tests-- }, repeat.Open},
		"another file":      {func(c *record.Checked) { c.Files++ }, repeat.Refuted},
		"another package":   {func(c *record.Checked) { c.Packages = []string{"x"} }, repeat.Refuted},
		"another base":      {func(c *record.Checked) { c.Base = strings.Repeat("b", 40) }, repeat.Refuted},
		"more than is said": {func(c *record.Checked) { c.Allowed[0].Line++ }, repeat.Refuted},
	} {
		again := patched(t)
		c.edit(&again.Checked[0])
		if o := Hold(patched(t), again); o.Answer != c.want || c.want != repeat.Holds &&
			!strings.HasPrefix(o.Reason, "B, check of the patch: ") {
			t.Errorf("%s: %q (%s), want %q", name, o.Answer, o.Reason, c.want)
		}
	}
	nothing := patched(t)
	nothing.Claims = []Claim{{Of: "B", Word: judge.Undecided}}
	if o := Hold(nothing, patched(t)); o.Answer != repeat.Open {
		t.Errorf("a patch whose tests pass, and of which nothing is claimed: %q (%s)", o.Answer, o.Reason)
	}
	if o := Hold(patched(t), example(t)); o.Answer != repeat.Holds { // a second receipt of a machine that checked nothing
		t.Errorf("a receipt without a check: %q (%s)", o.Answer, o.Reason)
	}
}

// What hone does not write is refused when it is read: a check of no patch, a directory outside of the repository, and a
// command that writes files, or that is no one line.
func TestForgedPartsAreRefused(t *testing.T) {
	if _, err := Read(context.Background(), "r.json", written(t, patched(t))); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		edit func(*Receipt)
		want string
	}{
		"variant":        {func(r *Receipt) { r.Checked[0].Variant = "A" }, "receipt.checked[0].variant"},
		"base":           {func(r *Receipt) { r.Checked[0].Base = strings.Repeat("e", 40) }, "receipt.checked[0].base"},
		"tests":          {func(r *Receipt) { r.Checked[0].Packages = nil }, "receipt.checked[0].tests"},
		"kind":           {func(r *Receipt) { r.Checked[0].Allowed[0].Kind = "x\ny" }, "receipt.checked[0].allowed[0].kind"},
		"out":            {func(r *Receipt) { r.Repository.Below = "../x" }, "receipt.repository.below"},
		"root":           {func(r *Receipt) { r.Repository.Below = "/etc" }, "receipt.repository.below"},
		"file":           {func(r *Receipt) { r.Line = append(r.Line, "--csv=x") }, "receipt.line"},
		"ledger":         {func(r *Receipt) { r.Line = append(r.Line, "--ledger=x") }, "receipt.line"},
		"a line in line": {func(r *Receipt) { r.Line = append(r.Line, "--flags=x\nallow it?") }, "receipt.line"},
	} {
		r := patched(t)
		c.edit(r)
		_, err := Read(context.Background(), "r.json", written(t, r))
		if fail.ExitCode(err) != 2 || !strings.Contains(fmt.Sprint(err), c.want) || strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// A receipt of the ledger is the user's own, however often it was tried since; one with another command is not.
func TestSame(t *testing.T) {
	other := example(t)
	if other.Tries.Of++; !Same(example(t), other) {
		t.Error("one more try makes another receipt")
	}
	if other.Line = append(other.Line, "--flags=-toolexec=x"); Same(example(t), other) {
		t.Error("another command makes no other receipt")
	}
}
