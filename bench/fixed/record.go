package fixed

import (
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/internal/store/tuning"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.fixed/1"

// record is what hone fix did in a repository, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Repo   string        `json:"repo,omitempty"`
	Commit string        `json:"commit,omitempty"`
	Kind   string        `json:"kind,omitempty"`
	Budget time.Duration `json:"budget_ns,omitempty"`
	// Findings is how many there are, Rewrites are those that have one.
	Findings int       `json:"findings"`
	Rewrites []rewrite `json:"rewrites,omitempty"`
	// FewSamples is how many benchmarks had too few samples for findings: the machine did something else.
	FewSamples int `json:"few_samples,omitempty"`
	// Tests is how many tests of the module pass on the branch, Broken are those that pass at the commit alone.
	Tests  int      `json:"tests,omitempty"`
	Broken []string `json:"broken,omitempty"`
	// Failed says why hone fix measured nothing.
	Failed  string  `json:"failed,omitempty"`
	Seconds float64 `json:"s,omitempty"`
}

// rewrite is what became of a finding that has a rewrite. Ratio is the deciding measure with the change divided by that
// without, with its interval; Of is the benchmark, or the measure.
type rewrite struct {
	Rule    string  `json:"rule"`
	Place   string  `json:"place"`
	Outcome outcome `json:"outcome"`
	Why     string  `json:"why,omitempty"`
	Of      string  `json:"of,omitempty"`
	Ratio   float64 `json:"ratio,omitempty"`
	Low     float64 `json:"low,omitempty"`
	High    float64 `json:"high,omitempty"`
	Tested  bool    `json:"tested,omitempty"`
	// Compared is how many answers were compared.
	Compared int `json:"answers_compared,omitempty"`
}

// outcome is what became of a rewrite.
type outcome string

// The outcomes. Broke and different are wrong rewrites.
const (
	gained    outcome = "gain confirmed"
	noGain    outcome = "no gain shown"
	costs     outcome = "costs"
	refused   outcome = "refused"
	noBuild   outcome = "does not build"
	broke     outcome = "breaks a test"
	different outcome = "answers differ"
)

func kindOf(s corpus.Subject) string {
	if s.Benchmark == "" {
		return "service"
	}
	return "library"
}

// take reads the document of hone fix.
func (r *record) take(f *tuning.Fix) {
	r.Findings, r.FewSamples = len(f.Tried)+f.Without, len(f.FewSamples)
	for _, one := range f.Tried {
		x := rewrite{Rule: one.Rule, Place: one.Place, Outcome: outcomeOf(one), Tested: one.Tested, Compared: one.Compared,
			Why: one.Different}
		if one.Refused != "" {
			x.Why, _, _ = strings.Cut(one.Refused, "\n")
		}
		if v := one.Decides; v != nil {
			x.Of, x.Ratio, x.Low, x.High = v.Measure.Name, v.Ratio, v.Low, v.High
			if one.Benchmark != "" {
				x.Of = one.Benchmark
			}
		}
		r.Rewrites = append(r.Rewrites, x)
	}
}

func outcomeOf(r *tuning.Rewritten) outcome {
	switch {
	case r.Different != "":
		return different
	case strings.HasPrefix(r.Refused, "test the rewritten package"):
		return broke
	case strings.HasPrefix(r.Refused, "vet the rewritten package"):
		return noBuild
	case r.Refused != "":
		return refused
	case r.Commit != "":
		return gained
	case r.Claim == tuning.More:
		return costs
	}
	return noGain
}

// measured are the rewrites that were tested, at least.
func (r record) measured() (n int) { return len(r.Rewrites) - r.count(refused) }

func (r record) count(some ...outcome) (n int) {
	for _, x := range r.Rewrites {
		for _, o := range some {
			if x.Outcome == o {
				n++
			}
		}
	}
	return n
}

// wrong is how many rewrites change an answer. A branch that breaks a test is one at least.
func (r record) wrong() int {
	n := r.count(broke, different)
	if len(r.Broken) > 0 {
		n++
	}
	return n
}

// String is a record as progress shows it.
func (r record) String() string {
	if r.Failed != "" {
		return "not measured: " + r.Failed
	}
	return fmt.Sprintf("%d findings, %d with a rewrite, %d tried, %d gains, %d wrong, %.0f s", r.Findings, len(r.Rewrites),
		r.measured(), r.count(gained), r.wrong(), r.Seconds)
}

// last are the latest records of the repositories.
func last(records []record) map[string]record {
	return bed.Last(records, func(r record) (string, bool) { return r.Repo, r.Repo != "" })
}
