package tail

import (
	"math"
	"path/filepath"
	"slices"

	"github.com/gohone/hone/bench/tail/marks"
	"github.com/gohone/hone/bench/tail/serving"
)

// The goals that the results are held against.
const (
	rightGoal = 0.95
	shareGoal = 0.15
	// namedFrom is the share of a cause from which hone names it in a sentence: in a control nothing that
	// requests wait for may reach it.
	namedFrom = 0.10
)

// waits are the states that a control has no cause for. Requests of a control may well wait for the
// processor, which they share with each other.
var waits = []string{"lock", "channel", "network", "sleep"}

// judgement is what became of one trial at one rate.
type judgement struct {
	// Planted is what was planted, Named what hone said first.
	Planted string `json:"planted,omitempty"`
	Named   string `json:"named,omitempty"`
	Right   bool   `json:"right"`
	// Why says what is wrong.
	Why string `json:"why,omitempty"`
	// Behind says whether hone named a marked statement behind a right cause; nil if none is marked.
	Behind *bool `json:"behind,omitempty"`
	// Shares are those of each planted cause.
	Shares []share `json:"shares,omitempty"`
	// Unexplained is the part of the judged request's latency without an explanation, as a fraction.
	Unexplained float64 `json:"unexplained"`
}

// share is a cause's part of the time that is to be explained, as a fraction.
type share struct {
	Hone  float64 `json:"hone"`
	Truth float64 `json:"truth"`
}

func (s share) held() bool { return math.Abs(s.Hone-s.Truth) <= shareGoal }

func base(path string) string { return filepath.Base(path) }

// judge holds what hone said against what was planted, and against the service's own stamps.
func (t *trial) judge(d *digest, planted []marks.Mark, truth serving.Truth) judgement {
	if t.Shape == control {
		return judgeControl(d)
	}
	found := candidates(d, t.Shape)
	j := judgement{Planted: describe(planted), Unexplained: t.unexplained(d)}
	if len(found) == 0 {
		j.Why = "hone named no cause"
		return j
	}
	j.Named = found[0].String()
	j.Right, j.Why = right(found, planted)
	j.Behind = behind(found, planted)
	if t.Unstamped == "" {
		j.Shares = t.shares(d, found, planted, truth)
	}
	return j
}

// judgeControl has nothing to find.
func judgeControl(d *digest) judgement {
	j := judgement{Right: true, Unexplained: d.cohort("slow").Unexplained / d.cohort("slow").Latency}
	if len(d.Causes) > 0 {
		j.Named = d.Causes[0].String()
	}
	for _, c := range d.Causes {
		if c.Share >= namedFrom && slices.Contains(waits, c.State) {
			j.Right, j.Named, j.Why = false, c.String(), "a cause in a control"
			return j
		}
	}
	return j
}

// unexplained is a part of the request that is judged.
func (t *trial) unexplained(d *digest) float64 {
	c := d.cohort("slow")
	if t.Shape == allSlow {
		c = d.cohort("typical")
	}
	return c.Unexplained / c.Latency
}

// candidates are the causes as the judge takes them, largest first: of the difference or, where the
// typical request is slow, of its latency.
func candidates(d *digest, s shape) []cause {
	if s != allSlow {
		return d.Causes
	}
	typical := d.cohort("typical")
	var all []cause
	for _, p := range typical.Parts {
		all = append(all, cause{p.place, p.Nanos, p.Nanos / typical.Latency})
	}
	slices.SortStableFunc(all, func(a, b cause) int { return int(b.Nanos - a.Nanos) })
	return all
}

// right says whether the first cause is a planted one, and each planted one is among as many first as
// were planted.
func right(found []cause, planted []marks.Mark) (ok bool, why string) {
	n := number(planted)
	if len(matching(found[:1], planted, 0)) == 0 {
		return false, "the first cause is another one"
	}
	for i := 1; i <= n; i++ {
		if len(matching(found[:min(n, len(found))], planted, i)) == 0 {
			return false, "a planted cause is not among the first"
		}
	}
	return true, ""
}

// number is how many causes are planted; several marks may belong to one.
func number(planted []marks.Mark) (n int) {
	for _, m := range planted {
		n = max(n, m.Cause)
	}
	return n
}

// matching are the causes that match a mark of planted cause i, or of any for 0.
func matching(found []cause, planted []marks.Mark, i int) (some []cause) {
	for _, c := range found {
		if slices.ContainsFunc(planted, func(m marks.Mark) bool {
			return (i == 0 && m.Cause > 0 || i > 0 && m.Cause == i) && slices.Contains(m.States, c.State) && at(c.place, m)
		}) {
			some = append(some, c)
		}
	}
	return some
}

// collector is a state that need not have a line: where the collector's own worker has the processor, no
// line of the user's is to blame.
const collector = "collector"

// at says whether a place is the marked one or, for a mark behind, waits for it.
func at(p place, m marks.Mark) bool {
	switch {
	case m.Behind:
		return waitsFor(p, m)
	case p.State == collector && p.Function == "":
		return slices.Contains(m.States, collector)
	}
	return m.Covers(p.Function, p.File, p.Line)
}

func waitsFor(p place, m marks.Mark) bool {
	for b := p.Behind; b != nil; b = b.Behind {
		if m.Covers(b.Function, b.File, b.Line) {
			return true
		}
	}
	return false
}

// behind says whether the largest right cause has a marked statement behind it.
func behind(found []cause, planted []marks.Mark) *bool {
	var only []marks.Mark
	for _, m := range planted {
		if m.Cause == 0 {
			only = append(only, m)
		}
	}
	some := matching(found, planted, 0)
	if len(only) == 0 || len(some) == 0 {
		return nil
	}
	ok := slices.ContainsFunc(only, func(m marks.Mark) bool {
		return waitsFor(some[0].place, m) || m.Covers(some[0].Function, some[0].File, some[0].Line)
	})
	return &ok
}

// shares are those of the planted causes. hone's is of all that it found at the marked place, in any
// state, and of all that waited for the marked place: the service's stamps do not tell the one from the
// other.
func (t *trial) shares(d *digest, found []cause, planted []marks.Mark, truth serving.Truth) (all []share) {
	for i := 1; i <= number(planted); i++ {
		var s share
		for _, c := range found {
			if slices.ContainsFunc(planted, func(m marks.Mark) bool {
				return m.Cause == i && (at(c.place, m) || waitsFor(c.place, m))
			}) {
				s.Hone += c.Share
			}
		}
		s.Truth = t.trueShare(d, truth, i)
		all = append(all, s)
	}
	return all
}

// trueShare is what the service's stamps say of planted cause i. It is of the time that the client saw,
// which the handler does not see all of: what a busy machine adds before it is not the cause's. Where the
// handler saw more, because its percentiles are of its own times, it is of that.
func (t *trial) trueShare(d *digest, truth serving.Truth, i int) float64 {
	typical, slow := truth.Typical, truth.Slow
	latency := d.cohort("typical").Latency
	if t.Shape == allSlow {
		return typical.Causes[i-1] / max(typical.Handler, latency)
	}
	return (slow.Causes[i-1] - typical.Causes[i-1]) / max(slow.Handler-typical.Handler, d.cohort("slow").Latency-latency)
}

// describe says what was planted.
func describe(planted []marks.Mark) (text string) {
	for i := 1; i <= number(planted); i++ {
		for _, m := range planted {
			if m.Cause != i {
				continue
			}
			if text != "" {
				text += "; "
			}
			text += m.States[0] + " "
			if m.Behind {
				text += "behind "
			}
			text += m.String()
			break
		}
	}
	return text
}
