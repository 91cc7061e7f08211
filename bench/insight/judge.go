package insight

import (
	"math"
	"slices"

	"github.com/gohone/hone/internal/insight/advice"
)

const (
	// worth is the cost from which on a finding counts, as a share.
	worth = 0.03
	// tolerance is how far a predicted gain may be from the measured one, as a share of the latter, or noise, if that is more: what
	// the README of the corpus says of its figures.
	tolerance, noise = 0.3, 0.05
)

// judgement is what became of one program with a defect or of a near miss.
type judgement struct {
	*program
	record
	// Rank is that of the first finding at the defect, from 1 on; 0: none is there. Kind says that it is of the right kind.
	Rank int
	Kind bool
	// Predicted and Measured are the gain of the first finding at the defect, and Held whether they agree; nil if one is not known.
	Predicted, Measured float64
	Held                *bool
	// False are the findings that a near miss must not have.
	False []found
}

// judgeFindings holds what hone found against the truth.
func judgeFindings(p *program, r record) judgement {
	j := judgement{program: p, record: r}
	rules := rulesOf[p.Kind]
	for i, f := range r.Findings {
		if p.NearMiss {
			if f.Cost >= worth && slices.Contains(rules, f.Rule) {
				j.False = append(j.False, f)
			}
			continue
		}
		if p.at(p.Defect, f.Place.File, f.Place.Line) {
			j.Rank, j.Kind = i+1, slices.Contains(rules, f.Rule)
			j.weigh(f)
			break
		}
	}
	return j
}

// gainOf are the measured gains that a finding's prediction can be held against.
var gainOf = map[advice.Measure]string{advice.CPU: "cpu", advice.Latency: "wall", advice.Memory: "live_bytes"}

func (j *judgement) weigh(f found) {
	measured, known := j.Gain[gainOf[f.Measure]]
	if !known || f.Gain == 0 {
		return
	}
	j.Predicted, j.Measured = f.Gain, measured
	held := math.Abs(f.Gain-measured) <= max(noise, tolerance*math.Abs(measured))
	j.Held = &held
}
