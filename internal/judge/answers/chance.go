package answers

import "math"

// tally counts answers of B for the question whether their differences are more than chance.
type tally struct {
	ofA    int          // answers of A to the same requests
	hard   int          // that differ from what never differs in A's
	starts map[int]bool // of B that have one of them
	// templates are A's answers against a template that is made of half of them, soft B's against one of
	// all: those of them that differ.
	templates tested
	soft      tested
	// bytes are those of bodies that differ by nature, left those of them that are left out.
	bytes, left float64
	// wireA and wireB are the bytes as they come of answers that are packed otherwise, A's being those of as many
	// answers.
	wireA, wireB float64
}

// masked takes in how A's own answers to a request fit.
func (t *tally) masked(e *expected) {
	t.templates.of += e.heldBack.of
	t.templates.failed += e.heldBack.failed
}

// add takes in an answer of B.
func (t *tally) add(e *expected, b Answer, kind string) {
	n := b.count()
	if e.volatile {
		left := e.form.left
		if e.form.kind != formTemplate {
			left = 1
		}
		t.bytes += float64(n) * float64(b.Length)
		t.left += float64(n) * float64(b.Length) * left
	}
	byTemplate := e.volatile && e.form.kind == formTemplate
	if byTemplate {
		t.soft.of += n
	}
	switch {
	case kind == "":
		if e.otherwisePacked(b) || e.reordered(b) {
			t.wireB += float64(n) * float64(b.Wire)
			t.wireA += float64(n) * float64(e.wireSum) / float64(max(1, e.n))
		}
	case kind == Content && byTemplate:
		t.soft.failed += n
	default:
		t.hard += n
		t.starts[b.Start] = true
	}
}

// differs says that the differences are a finding, of so many compared answers.
func (t *tally) differs(compared int) bool {
	if t.hard >= differCount && float64(t.hard) >= differShare*float64(compared) {
		return true
	}
	// What happens once, such as a slow backend, is in the answers of one start.
	if len(t.starts) >= fewestStarts && byChance(tested{0, t.ofA}, tested{t.hard, compared}) < differChance {
		return true
	}
	return byChance(t.templates, t.soft) < differChance
}

func (t *tally) leftOut() float64 {
	if t.bytes == 0 {
		return 0
	}
	return t.left / t.bytes
}

func (t *tally) wireChange() float64 {
	if t.wireA == 0 {
		return 0
	}
	return t.wireB/t.wireA - 1
}

// byChance is the probability that B has so many failures or more, of all that there are, if A and B
// fail equally often: Fisher's exact test, one-sided, by the hypergeometric distribution.
func byChance(a, b tested) float64 {
	failed, all := a.failed+b.failed, a.of+b.of
	if failed == 0 || all == 0 {
		return 1
	}
	choose := func(n, k int) float64 {
		x, _ := math.Lgamma(float64(n + 1))
		y, _ := math.Lgamma(float64(k + 1))
		z, _ := math.Lgamma(float64(n - k + 1))
		return x - y - z
	}
	p := 0.0
	for k := b.failed; k <= min(failed, b.of); k++ {
		if failed-k <= a.of {
			p += math.Exp(choose(b.of, k) + choose(a.of, failed-k) - choose(all, failed))
		}
	}
	return min(1, p)
}
