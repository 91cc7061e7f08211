package holders

import "math"

const (
	// tolerance is how far the bytes of a holder may be from what clearing frees, as a share of the latter.
	tolerance = 0.05
	// worth is the share of what a decoy allocated from which on a holder of it counts as named.
	worth = 0.1
)

// judgement is what became of one program.
type judgement struct {
	*program
	record
	Named bool // the first holder is the right one; of a decoy: one is named
	Near  bool // its bytes are what clearing frees
	Place bool // its file and line are those of a declaration
}

// judge holds an answer against the truth. A holder that hone could not name is not named. What has no truth here is not judged: a
// program that did not run, and a decoy without an answer, which would else count as right.
func judge(p *program, r record) (j judgement, ok bool) {
	if r.Figures == nil || p.Decoy && r.Answer == nil {
		return j, false
	}
	first := r.first()
	j = judgement{program: p, record: r}
	if p.Decoy {
		j.Named = float64(first.Bytes) > worth*float64(r.Figures.Allocated)
		return j, true
	}
	freed := float64(r.Figures.freed())
	j.Named = p.isNamed(first.Name)
	j.Place = p.isAt(first.File, first.Line)
	j.Near = j.Named && math.Abs(float64(first.Bytes)-freed) <= tolerance*freed
	return j, true
}
