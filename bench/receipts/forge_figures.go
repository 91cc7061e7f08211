package receipts

import (
	"fmt"
	"math"
	"strings"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/view/receipt"
	"github.com/gohone/hone/judge"
)

// lead is the verdict that a claim's word is of; nil where there is none with an interval.
func lead(c *receipt.Claim) *judge.Verdict {
	for i := range c.Verdicts {
		if v := &c.Verdicts[i]; v.Measure.Key == c.Leads && v.Measure.Target == "" && v.Bounded() && v.Ratio > 0 {
			return v
		}
	}
	return nil
}

// each changes the lead of each claim, and judges the gates of the claim anew.
func (f *forging) each(change func(*judge.Verdict)) {
	for i := range f.receipt.Claims {
		c := &f.receipt.Claims[i]
		v := lead(c)
		if v == nil {
			continue
		}
		change(v)
		c.Word = v.Word
		for i := range c.Gates {
			if g := &c.Gates[i]; g.Gate.Measure.Key == v.Measure.Key {
				g.Outcome, g.Reason = g.Gate.Judge(*v)
			}
		}
	}
}

// move gives a verdict another estimate, with an interval as wide as before, and all that follows from them.
func move(v *judge.Verdict, ratio float64) {
	by := ratio / v.Ratio
	v.Ratio, v.Low, v.High = ratio, v.Low*by, v.High*by
	v.EquivalenceLow, v.EquivalenceHigh = v.EquivalenceLow*by, v.EquivalenceHigh*by
	v.B, v.First, v.Excluded = v.LedTo(v.A*ratio), nil, 0
	v.Word = judge.Undecided
	if v.High < 1 || v.Low > 1 {
		if v.Word = judge.Faster; (v.Low > 1) != (v.Measure.Better == judge.Higher) {
			v.Word = judge.Slower
		}
		v.P, v.Reason = min(v.P, v.Level/10), ""
	}
}

// gain is a ratio that claims a gain by a factor over an old one, with an interval that leaves no change out.
func gain(v *judge.Verdict, factor float64) float64 {
	return min(v.Ratio, 1) / max(factor, 1.02*v.High/v.Ratio)
}

// editFigures claims a gain that is 1.3 to 2 times as large, or edits the estimate alone.
func editFigures(f *forging) error {
	factor := 1.3 + 0.7*f.rng.Float64()
	if f.careful {
		f.each(func(v *judge.Verdict) { move(v, gain(v, factor)) })
		return nil
	}
	for i := range f.receipt.Claims {
		if v := lead(&f.receipt.Claims[i]); v != nil {
			v.Ratio /= factor
		}
	}
	return nil
}

// leastMove is by how much an interval is moved at least.
const leastMove = 0.05

// editInterval moves the interval by three half-widths in favour of B, or one end of it.
func editInterval(f *forging) error {
	if f.careful {
		f.each(func(v *judge.Verdict) {
			half := v.High / v.Ratio
			move(v, gain(v, max(half*half*half, 1+leastMove)))
		})
		return nil
	}
	for i := range f.receipt.Claims {
		if v := lead(&f.receipt.Claims[i]); v != nil {
			v.High = v.Ratio * (1 + (v.High/v.Ratio-1)/3)
		}
	}
	return nil
}

// disturbA has the figures of a machine where something else slowed A down: its time grows by 1.15 to 1.6. The careless
// one leaves the gates as they were.
func disturbA(f *forging) error {
	by := 1.15 + 0.45*f.rng.Float64()
	slow := func(v *judge.Verdict) {
		b := v.B
		v.A *= by
		move(v, gain(v, by))
		v.A = b / v.Ratio
		v.B = v.LedTo(b)
	}
	if f.careful {
		f.each(slow)
		return nil
	}
	for i := range f.receipt.Claims {
		if v := lead(&f.receipt.Claims[i]); v != nil {
			v.A *= by
		}
	}
	return nil
}

// pickCherry measures a patch that changes nothing a few times, and takes the best one, as one of one. Where even that
// shows no gain its interval is moved until it does.
func pickCherry(f *forging) error {
	r := f.receipt
	empty, err := f.unusedFile()
	if err != nil {
		return err
	}
	var best *receipt.Receipt
	for range tries {
		text, err := f.try(append([]string{"bench", "--all", "--vs", r.Sides[0].Commit, "--patch", empty}, f.benchmarks()...)...)
		if err != nil {
			return err
		}
		one, err := record{Subject: "a try", Receipt: text}.receipt()
		if err != nil {
			return err
		}
		if ratioOf(one) < ratioOf(best) {
			best = one
		}
	}
	if best == nil {
		return fmt.Errorf("%d tries measured nothing", tries)
	}
	f.receipt = best
	best.Tries = receipt.Tries{Place: 1, Of: 1}
	f.each(func(v *judge.Verdict) {
		if v.Word != judge.Faster {
			move(v, gain(v, 1))
		}
	})
	return nil
}

// tries are those of which the best is taken.
const tries = 5

// ratioOf is that of the first claim; infinite where there is none.
func ratioOf(r *receipt.Receipt) float64 {
	if r == nil {
		return math.Inf(1)
	}
	for i := range r.Claims {
		if v := lead(&r.Claims[i]); v != nil {
			return v.Ratio
		}
	}
	return math.Inf(1)
}

// copyDigest has the claims and the digest of another report, where there is one with a lead of the same measure, or
// only the digest of its own text.
func copyDigest(f *forging) error {
	mine := &f.receipt.Claims[0]
	for _, i := range f.rng.Perm(len(f.others)) {
		other := f.others[i]
		if !claims(other) || other.Claims[0].Leads != mine.Leads || other.Claims[0].Word == mine.Word && f.careful &&
			math.Abs(math.Log(ratioOf(other)/ratioOf(f.receipt))) < 2*leastMove {
			continue
		}
		if !f.careful {
			text, err := written(f.receipt)
			if err != nil {
				return err
			}
			theirs, err := written(other)
			if err != nil {
				return err
			}
			return f.replace(digestOf(text), digestOf(theirs))
		}
		claim := other.Claims[0]
		claim.Of = mine.Of
		f.receipt.Claims, f.receipt.Document = []receipt.Claim{claim}, other.Document
		return nil
	}
	f.receipt.Document = strings.Repeat("0", len(f.receipt.Document))
	return editFigures(f)
}

// digestOf is the digest in the text of a receipt.
func digestOf(text string) string {
	_, rest, _ := strings.Cut(text, `"sha256": "`)
	digest, _, _ := strings.Cut(rest, `"`)
	return digest
}

// editGate claims that a gate for a gain of 30 to 60 % was passed, with figures that pass it, or edits the outcome.
func editGate(f *forging) error {
	limit := 30 + f.rng.IntN(30)
	for i := range f.receipt.Claims {
		c := &f.receipt.Claims[i]
		v := lead(c)
		if v == nil || len(c.Gates) == 0 {
			continue
		}
		g := &c.Gates[0]
		if !f.careful {
			if g.Outcome = gate.Passed; v.Low < 1 {
				g.Outcome = gate.Failed
			}
			continue
		}
		text := fmt.Sprintf("%s<-%d%%", v.Measure.Key, limit)
		made, err := gate.ParseOf(text, []judge.Measure{v.Measure})
		if err != nil {
			return err
		}
		was := g.Gate.Text
		g.Gate = made
		for i, word := range f.receipt.Line {
			f.receipt.Line[i] = strings.Replace(word, was, text, 1)
		}
		width := v.High / v.Ratio
		move(v, 0.97*(1-float64(limit)/100)/width)
		c.Word = v.Word
		g.Outcome, g.Reason = made.Judge(*v)
	}
	return nil
}

// editWords calls B faster whatever the figures say, or, with care, has the verdict of another measure lead.
func editWords(f *forging) error {
	for i := range f.receipt.Claims {
		c := &f.receipt.Claims[i]
		for _, v := range c.Verdicts {
			if f.careful && v.Word == judge.Faster && v.Measure.Key != c.Leads && v.Measure.Key != measure.Allocs.Key {
				c.Leads, c.Word = v.Measure.Key, v.Word
			}
		}
		v := lead(c)
		if v == nil {
			continue
		}
		word := judge.Faster
		if v.Word == judge.Faster {
			word = judge.Same
		}
		v.Word, c.Word = word, word
	}
	return nil
}
