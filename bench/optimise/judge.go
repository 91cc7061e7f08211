package optimise

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// answer is what hone says of a change.
type answer struct {
	Benchmarks []measured `json:"benchmarks,omitempty"`
	// Unmeasured is why hone measured nothing: honecli.SameCode or NotExecuted.
	Unmeasured string `json:"unmeasured,omitempty"`
	// Fault says why hone refuses the patch, or why the benchmark cannot be compared: it is another one, or does not
	// run.
	Fault string `json:"fault,omitempty"`
	// Passed says that all gates are passed, where there were some.
	Passed  bool    `json:"passed,omitempty"`
	Seconds float64 `json:"s"`
}

// measured is a benchmark. Ratio is its time per operation with the change divided by that without, with its interval.
type measured struct {
	Name    string     `json:"name"`
	Word    judge.Word `json:"verdict"`
	Ratio   float64    `json:"ratio"`
	Low     float64    `json:"low,omitempty"`
	High    float64    `json:"high,omitempty"`
	Caveats []caveat   `json:"caveats,omitempty"`
}

// caveat is a reason not to take a faster benchmark by its time alone. Open takes the verdict.
type caveat struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Open bool   `json:"open,omitempty"`
}

// ask has hone compare a patch with the base of a commit, which is checked out in tree, by the commit's benchmark. With
// gates it says whether all are passed.
func (c config) ask(ctx context.Context, of corpus.Commit, tree string, text []byte, gates ...string) (*answer, error) {
	file := filepath.Join(filepath.Dir(tree), "change.diff")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, fmt.Errorf("write the patch: %w", err)
	}
	hone := c.Hone
	hone.Dir = of.WorkDir(tree)
	args := []string{"bench", ".", "--json", "--quiet", "--no-report", "--ledger",
		filepath.Join(filepath.Dir(tree), "ledger"), "--vs", "HEAD", "--patch", file, "--allow", allow(), "--bench",
		of.Pattern(), "--budget", c.budget.String()}
	for _, g := range gates {
		args = append(args, "--gate", g)
	}
	began := time.Now()
	d, err := hone.Run(ctx, []int{honecli.Regression, badPatch, notRun, honecli.Undecided}, args...)
	if err != nil {
		return nil, err
	}
	a := &answer{Seconds: time.Since(began).Round(time.Second).Seconds(), Passed: len(gates) > 0 && d.Code == 0}
	if len(d.Stdout) > 0 {
		return a, a.read(d.Stdout)
	}
	// before it measures, hone looks at what the patch touches, and runs the tests of the packages that change
	if a.Fault = reason(string(d.Stderr)); a.Fault == "" {
		return nil, fmt.Errorf("hone bench ends with %d and says %.400q", d.Code, d.Stderr)
	}
	return a, nil
}

// Exit codes of a patch that hone refuses before it measures: it touches more than code; it breaks a test, or does not
// build.
const (
	badPatch = 2
	notRun   = 3
)

// reason is why hone refuses a patch, of what it says: the line of the error, and the next one where that goes on.
func reason(stderr string) string {
	_, text, ok := strings.Cut("\n"+stderr, "\nhone: ")
	if !ok {
		return ""
	}
	first, rest, _ := strings.Cut(text, "\n")
	if strings.HasSuffix(first, ":") {
		next, _, _ := strings.Cut(rest, "\n")
		first += " " + strings.TrimSpace(next)
	}
	return first
}

// read takes what hone bench prints.
func (a *answer) read(text []byte) error {
	var d benchmarks.Result
	if err := json.Unmarshal(text, &d); err != nil {
		return fmt.Errorf("read what hone bench prints: %w in %.200q", err, text)
	}
	for _, b := range d.Benchmarks {
		m := measured{Name: b.Name, Word: b.Word()}
		if len(b.Verdicts) > 0 {
			v := b.Verdicts[0]
			if m.Ratio = v.Ratio; v.Bounded() {
				m.Low, m.High = v.Low, v.High
			}
		}
		for _, c := range b.Caveats {
			m.Caveats = append(m.Caveats, caveat{c.Name, c.Text, c.Open})
		}
		if len(b.Changed) > 0 && a.Fault == "" {
			a.Fault = "the benchmark itself differs: " + strings.Join(b.Changed, ", ")
		}
		a.Benchmarks = append(a.Benchmarks, m)
	}
	if len(d.Unchanged) > 0 && len(a.Benchmarks) == 0 {
		a.Unmeasured = honecli.Unmeasured(d.Unchanged[0].Reason)
	}
	switch {
	case a.Fault != "":
	case len(d.Untimed) > 0:
		a.Fault = "the time of the benchmark does not grow with the number of operations"
	case len(d.Failures) > 0 && d.Failures[0].Side == "A":
		return fmt.Errorf("the benchmark does not run at the base: %s: %.400s", d.Failures[0].Text,
			d.Failures[0].Output)
	case len(d.Failures) > 0:
		a.Fault = fmt.Sprintf("%s: %.200s", d.Failures[0].Text, d.Failures[0].Output)
	case len(d.OneSided) > 0 || len(d.Skipped) > 0:
		a.Fault = "one side does not have the benchmark"
	case len(a.Benchmarks) == 0 && a.Unmeasured == "":
		a.Fault = "no benchmark has the task's name"
	}
	return nil
}

// gain is the mean logarithm of how many times faster the benchmarks are. What is not confirmed is no gain.
func (a *answer) gain() float64 {
	sum := 0.0
	for _, m := range a.Benchmarks {
		if m.Word.Different() {
			sum -= math.Log(m.Ratio)
		}
	}
	return sum / float64(max(1, len(a.Benchmarks)))
}

// ratio is the time per operation that the gain leaves, as a fraction.
func (a *answer) ratio() float64 { return math.Exp(-a.gain()) }

// doubt is a caveat that takes something from the gain, and that another answer does not have.
func (a *answer) doubt(other *answer) *caveat {
	for _, m := range a.Benchmarks {
		for i, c := range m.Caveats {
			if other == nil || !other.has(c.Name) {
				return &m.Caveats[i]
			}
		}
	}
	return nil
}

func (a *answer) has(name string) bool {
	return slices.ContainsFunc(a.Benchmarks, func(m measured) bool {
		return slices.ContainsFunc(m.Caveats, func(c caveat) bool { return c.Name == name })
	})
}

// cheats are the caveats by which a change is refused: it makes nothing cheaper, or breaks something.
var cheats = []string{benchmarks.CaveatMoved, benchmarks.CaveatTests}

// refused says why hone's comparison refuses a change; empty if it does not.
func (a *answer) refused() string {
	for _, m := range a.Benchmarks {
		for _, c := range m.Caveats {
			if c.Open && slices.Contains(cheats, c.Name) {
				return c.Text
			}
		}
	}
	return a.Fault
}

// outcome is what became of a change.
type outcome string

// The outcomes. Only a faster one has a score above 0.
const (
	faster  outcome = "faster"
	slower  outcome = "slower"
	nothing outcome = "no gain confirmed"
	// doubted is a faster benchmark with a caveat that the merged commit does not have.
	doubted outcome = "doubted"
	refused outcome = "refused"
	// unscored is a gain where the merged commit's was not confirmed beside it.
	unscored outcome = "not scored"
)

// conclude says what became of a change, why, and its score: the part of the merged commit's gain that it has, by the
// logarithms of the ratios. reference is nil where no gain has to be held against it.
func conclude(a, reference *answer) (o outcome, why string, score float64) {
	switch {
	case a.refused() != "":
		return refused, a.refused(), 0
	case a.Unmeasured != "":
		return nothing, a.Unmeasured, 0
	case a.gain() < 0:
		return slower, "", 0
	case a.gain() == 0:
		if c := a.doubt(nil); c != nil && c.Open {
			return nothing, c.Text, 0
		}
		return nothing, "", 0
	case reference == nil || reference.gain() <= 0:
		return unscored, "the gain of the merged commit was not confirmed in this job", 0
	}
	if c := a.doubt(reference); c != nil {
		return doubted, c.Text, 0
	}
	return faster, "", a.gain() / reference.gain()
}
