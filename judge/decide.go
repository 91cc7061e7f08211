package judge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gohone/hone/stats"
)

// Decide says what the blocks show about a measure at the last of Options.Looks:
//
//   - same: two one-sided tests show that the change is neither below -Delta nor above
//     +Delta (on the logarithmic scale, so that A against B and B against A get the same
//     word).
//   - faster or slower, as the measure's direction has it: the test shows a difference.
//   - undecided otherwise, with the reason and what it would take.
//
// In a comparison of two stages few blocks show a difference that is far beyond their scatter: see few.go.
//
// The block, a fresh start of both variants, is the unit: two processes of one binary differ for as long as they live,
// and no number of pairs averages that out (Kalibera & Jones 2013, "Rigorous benchmarking in reasonable time", ISMM).
// Where blocks have a layout, all blocks of one layout are the unit. The pairs of a block give its estimate, that of
// Hodges and Lehmann on the log ratios, and its weight; the test is stats.RevisedSignFlip. Percentiles of pooled pairs
// have an interval by bootstrap over blocks instead, at a few looks, see percentileLooks.
//
// Blocks that lack the measure on a side are counted as missing; if all do, the error is ErrNotObserved. Other errors
// name the block and pair whose value is infinite, negative, or 0 where that makes no sense, or the options at fault.
func Decide(m Measure, blocks []Block, o Options) (Verdict, error) {
	if err := o.Validate(); err != nil {
		return Verdict{}, fmt.Errorf("check options: %w", err)
	}
	decide := decideBlocks
	if m.Level == Pooled {
		decide = decidePooled
	}
	v, err := decide(m, blocks, o.WithDefaults())
	if err != nil {
		return Verdict{}, fmt.Errorf("compare %s: %w", m.Name, err)
	}
	return v, nil
}

func decideBlocks(m Measure, blocks []Block, o Options) (Verdict, error) {
	s, err := observe(m, blocks)
	if err != nil {
		return Verdict{}, err
	}
	t, err := s.test(blocks, o)
	if err != nil {
		return Verdict{}, err
	}
	v := t.Verdict(m, o)
	if v.Word == Undecided && t.late {
		v.Reason = SeenTooLate
	}
	v.Method = cmp.Or(v.Method, SignFlip)
	if v, err = v.againstCalmPairs(blocks, t.Evidence); err != nil {
		return Verdict{}, err
	}
	if v.blocks, v.withoutCalm = t.blocks, blocksWithoutCalm; o.NeverCalm {
		v.withoutCalm = 0
	}
	if v.Word.Different() && o.Late {
		v.Word, v.Reason, v.Need = Undecided, SeenTooLate, nil
	}
	if v = v.withoutDifference(""); !o.Staged && !o.again { // it has no second stage
		v = v.withoutDifference(cmp.Or(v.hardlyCalm(Verdict{Disturbed: v.Disturbed}), v.inStretches(v.blocks)))
	}
	v.Pairs, v.Missing, v.Looks = s.pairs, s.missing, t.looks
	if v.A, err = stats.Median(s.a); err != nil {
		return Verdict{}, err
	}
	v.B, err = stats.Median(s.b)
	v.B = v.LedTo(v.B)
	return v, err
}

// Shown says whether the test shows a difference of a measure, whatever calm pairs say of it, in a fraction of the time that
// Decide takes. Errors are those of Decide; a Pooled measure is not observed.
func Shown(m Measure, blocks []Block, o Options) (bool, error) {
	if m.Level == Pooled {
		return false, ErrNotObserved
	}
	o = o.WithDefaults()
	s, err := observe(m, blocks)
	if err != nil {
		return false, err
	}
	values, noise, err := estimates(s.changes)
	if err != nil {
		return false, err
	}
	looks := s.unitsAt(o.looksAt(s.blocks, o.screening()), blocks, values, noise)
	if last := looks[len(looks)-1]; o.byStudent(len(last.Values)) {
		return o.student(last.Values, last.Noise).Shown, nil
	}
	return stats.RevisedDiffers(looks)
}

// tested is the evidence of a test in several looks.
type tested struct {
	Evidence
	looks  int
	blocks []float64
	late   bool // a difference is shown, but only after the part of the budget in which a first stage may show one
}

// test looks at the blocks that were observed. What is not different in the part of the budget that is for differences has all of
// the budget for its interval, and to be the same.
func (s observed) test(blocks []Block, o Options) (t tested, err error) {
	values, noise, err := estimates(s.changes)
	if err != nil {
		return t, err
	}
	looks := s.unitsAt(o.looksAt(s.blocks, o.screening()), blocks, values, noise)
	if last := looks[len(looks)-1]; o.byStudent(len(last.Values)) {
		return tested{Evidence: o.student(last.Values, last.Noise), looks: len(looks), blocks: values}, nil
	}
	shown, err := stats.RevisedDiffers(looks)
	if err != nil {
		return t, err
	}
	whole := looks
	if o.Staged {
		whole = s.unitsAt(o.looksAt(s.blocks, 1), blocks, values, noise)
	}
	if !shown {
		looks = whole
	}
	r, err := stats.RevisedSignFlip(looks)
	if err != nil {
		return t, err
	}
	units := looks[len(looks)-1].Values
	t = tested{looks: len(looks), blocks: values, late: r.Rejected && !shown}
	t.Evidence = Evidence{Value: r.Value, Low: r.Low, High: r.High, P: r.P, Level: r.Level, Starts: len(units)}
	if t.scatter = scatterOf(units); o.known(t.scatter) {
		t.prior = o.Prior
	}
	t.Shown = shown && o.together(r.Value, stats.StdErr(units), len(units))
	if t.EquivalenceLow, t.EquivalenceHigh, err = stats.RevisedEquivalence(whole); err != nil {
		return t, err
	}
	for _, look := range looks[:len(looks)-1] {
		if o.byStudent(len(look.Values)) {
			t.keep(o.student(look.Values, look.Noise))
		}
	}
	return t, nil
}

// Changes are what the blocks that show a measure say of its change, as natural log ratios B/A.
type Changes struct {
	// Values are the estimates of the blocks, Noise the variances that their pairs leave in them.
	Values []float64 `json:"values"`
	Noise  []float64 `json:"noise"`
	// Within is the variance of a pair around its block.
	Within float64 `json:"within,omitempty"`
	// Layouts are those of the blocks, Disturbed the shares of their pairs that were.
	Layouts   []int     `json:"layouts"`
	Disturbed []float64 `json:"disturbed"`
}

// ChangesOf are the changes of a measure; ErrNotObserved if no block shows it on both sides.
func ChangesOf(m Measure, blocks []Block) (c Changes, err error) {
	s, err := observe(m, blocks)
	if err != nil {
		return c, err
	}
	if c.Values, c.Noise, err = estimates(s.changes); err != nil {
		return c, err
	}
	c.Within = c.Noise[0] * float64(len(s.changes[0]))
	for _, i := range s.blocks {
		_, _, busy := divide(blocks[i : i+1])
		c.Layouts, c.Disturbed = append(c.Layouts, blocks[i].Layout), append(c.Disturbed, busy)
	}
	return c, nil
}

// estimates are the change of each block, and the variance that its pairs leave in it.
func estimates(changes [][]float64) (values, noise []float64, err error) {
	// A disturbance makes a pair ten times as far off now and then, and says nothing
	// about the rest; without two pairs in any block nothing is known of their scatter.
	within := 0.0
	if slices.ContainsFunc(changes, func(d []float64) bool { return len(d) > 1 }) {
		if within, err = stats.RobustWithin(changes); err != nil {
			return nil, nil, err
		}
	}
	for _, d := range changes {
		e, err := stats.HodgesLehmann(d, 0.5)
		if err != nil {
			return nil, nil, err
		}
		values, noise = append(values, e.Value), append(noise, within/float64(len(d)))
	}
	return values, noise, nil
}
