package receipt

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/touches"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// rounding is how far figures that were rounded, or put through a logarithm, may be apart, as a fraction.
const rounding = 1e-6

var (
	isHash   = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})?$`) // or none
	isDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// check says what of a receipt does not fit together: no comparison of hone has said that. The error begins with the
// way to the value.
func (r *Receipt) check() error {
	switch {
	case !isDigest.MatchString(r.Document):
		return fmt.Errorf("receipt.document_sha256: %.80q is no SHA-256", r.Document)
	case r.Tries.Place < 1 || r.Tries.Place > r.Tries.Of:
		return fmt.Errorf("receipt.tries: number %d of %d comparisons", r.Tries.Place, r.Tries.Of)
	case len(r.Sides) < 2:
		return fmt.Errorf("receipt.sides: %d sides, want 2 or more", len(r.Sides))
	case len(r.Line) == 0 && r.Open == "":
		return fmt.Errorf("receipt.line: there is none, and no reason for it")
	case len(r.Line) > 0 && r.Line.Verb() != "compare" && r.Line.Verb() != "bench":
		return fmt.Errorf("receipt.line: %.40q is no command that compares", r.Line.Verb())
	case len(r.Line) > 0 && (r.Line.String() == "" || !slices.Equal(r.Line, repeatable(r.Line))):
		return fmt.Errorf("receipt.line: %.200q does more than measure", r.Line)
	case r.Repository.Below != "" && !filepath.IsLocal(filepath.FromSlash(r.Repository.Below)):
		return fmt.Errorf("receipt.repository.below: %.80q leads out of the repository", r.Repository.Below)
	}
	for i, side := range r.Sides {
		if side.Name != string(rune('A'+i)) {
			return fmt.Errorf("receipt.sides[%d].name: %.40q, want %q", i, side.Name, rune('A'+i))
		}
		if !isHash.MatchString(side.Commit) || !isHash.MatchString(side.Tree) {
			return fmt.Errorf("receipt.sides[%d]: commit %.80q, tree %.80q: want hashes of git", i, side.Commit,
				side.Tree)
		}
	}
	if p := r.Patch; p != nil {
		sum := sha256.Sum256([]byte(p.Text))
		switch {
		case p.Base == "" || !isHash.MatchString(p.Base):
			return fmt.Errorf("receipt.patch.base: %.80q, want a hash of git", p.Base)
		case p.Text != "" && hex.EncodeToString(sum[:]) != p.SHA256:
			return fmt.Errorf("receipt.patch: its text is not that of its sha256")
		}
	}
	for i, c := range r.Checked {
		if err := r.checkChecked(c); err != nil {
			return fmt.Errorf("receipt.checked[%d]%w", i, err)
		}
	}
	seen := map[string]bool{}
	for i := range r.Claims {
		c := &r.Claims[i]
		if seen[c.Of] {
			return fmt.Errorf("receipt.claims[%d].of: %.80q stands twice", i, c.Of)
		}
		seen[c.Of] = true
		if err := c.check(); err != nil {
			return fmt.Errorf("receipt.claims[%d]%w", i, err)
		}
	}
	return nil
}

// checkChecked says that no patch of the receipt passed this.
func (r *Receipt) checkChecked(c record.Checked) error {
	last := r.Sides[len(r.Sides)-1].Name
	switch {
	case len(c.Variant) != 1 || c.Variant <= "A" || c.Variant > last:
		return fmt.Errorf(".variant: %.40q, want B to %s", c.Variant, last)
	case c.Base == "" || !slices.ContainsFunc(r.Sides, func(s Side) bool { return s.Commit == c.Base }):
		return fmt.Errorf(".base: %.80q is the commit of no side", c.Base)
	case c.Files < 1 || c.Tests < 0 || c.Tests > 0 && len(c.Packages) == 0:
		return fmt.Errorf(".tests: %d in %d packages, of a patch of %d files", c.Tests, len(c.Packages), c.Files)
	}
	for i, t := range c.Allowed {
		if _, err := touches.ParseKinds([]string{string(t.Kind)}); err != nil {
			return fmt.Errorf(".allowed[%d].kind: there is no kind %.40q", i, t.Kind)
		}
	}
	return nil
}

func (c *Claim) check() error {
	lead := c.lead()
	switch {
	case c.Leads != "" && lead == nil:
		return fmt.Errorf(".leads: there is no verdict on %.40q", c.Leads)
	case lead != nil && lead.Word != c.Word:
		return fmt.Errorf(".verdict: %.40q, and the verdict on %s is %q", c.Word, c.Leads, lead.Word)
	case lead == nil && c.Word.Different():
		return fmt.Errorf(".verdict: %q without a measure", c.Word)
	}
	for i := range c.Verdicts {
		if err := checkVerdict(&c.Verdicts[i]); err != nil {
			return fmt.Errorf(".verdicts[%d]%w", i, err)
		}
	}
	for i, g := range c.Gates {
		if err := c.checkGate(g); err != nil {
			return fmt.Errorf(".gates[%d]%w", i, err)
		}
	}
	return nil
}

// checkVerdict says which figures of a verdict do not give the others.
func checkVerdict(v *judge.Verdict) error {
	switch {
	case v.Method == judge.SlowShare || v.Starts == 0 || v.Ratio == 0: // of other figures, or of none
		return nil
	case !positive(v.Ratio) || v.A < 0 || v.B < 0:
		return fmt.Errorf(".ratio: %v of %v and %v", v.Ratio, v.A, v.B)
	case !near(v.LedTo(v.B), v.B, 2e-3) && math.Abs(v.LedTo(v.B)-v.B) > 1:
		return fmt.Errorf(".b: %v, and the ratio %v leads from %v to %v", v.B, v.Ratio, v.A, v.LedTo(v.B))
	case v.Bounded() && (v.Low > v.Ratio*(1+rounding) || v.High < v.Ratio*(1-rounding)):
		return fmt.Errorf(".ratio: %v is outside of its interval, %v ... %v", v.Ratio, v.Low, v.High)
	case v.Bounded() && !(v.Conf > 0 && v.Conf < 1):
		return fmt.Errorf(".conf: an interval with the confidence %v", v.Conf)
	case v.EquivalenceLow > v.EquivalenceHigh:
		return fmt.Errorf(".equivalence_low: %v is above %v", v.EquivalenceLow, v.EquivalenceHigh)
	case v.Bounded() && v.Measure.Level != judge.Pooled && !near(1+v.Resolution, math.Sqrt(v.High/v.Low), rounding):
		return fmt.Errorf(".resolution: %v, and the interval %v ... %v has half a width of %v", v.Resolution, v.Low,
			v.High, math.Sqrt(v.High/v.Low)-1)
	}
	return checkWord(v)
}

// checkWord says that a verdict does not follow from its figures.
func checkWord(v *judge.Verdict) error {
	up, down := judge.Slower, judge.Faster
	if v.Measure.Better == judge.Higher {
		up, down = down, up
	}
	low, high := 1/(1+v.Delta)-rounding, 1+v.Delta+rounding
	excluded := max(1/v.EquivalenceLow, v.EquivalenceHigh) - 1
	switch v.Word {
	case up:
		if !v.Bounded() || v.Low <= 1 {
			return fmt.Errorf(".verdict: %q, and the interval begins at %v", v.Word, v.Low)
		}
	case down:
		if !v.Bounded() || v.High >= 1 {
			return fmt.Errorf(".verdict: %q, and the interval ends at %v", v.Word, v.High)
		}
	case judge.Same:
		if v.EquivalenceLow < low || v.EquivalenceHigh > high {
			return fmt.Errorf(".verdict: %q within +-%v, and the interval is %v ... %v", v.Word, v.Delta,
				v.EquivalenceLow, v.EquivalenceHigh)
		}
	case judge.NoChange:
		if v.Excluded <= 0 || v.Excluded < excluded-rounding {
			return fmt.Errorf(".excluded: %v, and the interval excludes %v", v.Excluded, excluded)
		}
	}
	if v.Word.Different() && v.P > v.Level*(1+rounding) {
		return fmt.Errorf(".p: %v is above the level %v, and the verdict is %q", v.P, v.Level, v.Word)
	}
	return nil
}

// checkGate says that the outcome of a gate does not follow from the verdict on its measure.
func (c *Claim) checkGate(g gate.Result) error {
	says, err := parsed(g.Gate.Text, g.Gate.Measure.Key)
	switch {
	case err != nil:
		return fmt.Errorf(".gate: %w", err)
	case says.Op != g.Gate.Op || says.Relative != g.Gate.Relative || !near(says.Limit, g.Gate.Limit, rounding):
		return fmt.Errorf(".gate.limit: %v is not what %q says", g.Gate.Limit, g.Gate.Text)
	}
	v := c.on(g.Gate.Measure)
	if v == nil || g.Outcome == gate.Open {
		return nil
	}
	if is, _ := g.Gate.Judge(*v); is != g.Outcome {
		return fmt.Errorf(".outcome: %q, and by the verdict on %s it is %q", g.Outcome, g.Gate.Measure.Key, is)
	}
	return nil
}

// parsed is a gate on the measure with a key, from its text.
func parsed(text, key string) (g gate.Gate, err error) {
	for _, known := range [][]judge.Measure{gate.Measures, measure.OfExecutions,
		slices.Concat(measure.OfBenchmarks, measure.OfInstructions)} {
		if g, err = gate.ParseOf(text, known); err == nil && g.Measure.Key == key {
			return g, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("%.80q is no gate on %.40q", text, key)
	}
	return g, err
}

func positive(x float64) bool { return x > 0 && !math.IsInf(x, 0) }

func near(a, b, within float64) bool {
	return a == b || math.Abs(a-b) <= within*max(math.Abs(a), math.Abs(b))
}
