package findings

import (
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
)

// keys are the measures of hone compare that the gain of a finding can be held against.
var keys = []string{"cpu", "p50", "p99", "resident"}

// keyOf is the measure of hone compare that is a finding's; none for answers.
var keyOf = map[advice.Measure]string{advice.CPU: "cpu", advice.Latency: "p50", advice.Tail: "p99", advice.Memory: "resident"}

const (
	// near is how many lines a finding may be away from a planted one, unless it is in the same function.
	near = 3
	// worth is the cost from which on findings beside the planted one are listed, as a share.
	worth = 0.03
	// tolerance is how far a predicted gain may be from the measured one, as a share of the latter.
	tolerance = 0.3
)

// at says whether a finding is of the rule, and at a mark or in its function.
func (f found) at(t *trial, program string, marks []mark) bool {
	if f.Rule != t.Rule {
		return false
	}
	if t.Anywhere {
		return true
	}
	for _, m := range marks {
		if m.covers(f.Place, program) {
			return true
		}
	}
	return false
}

// covers says whether a place is in the mark's file, and in its function or some lines from it. program
// is the directory of the program; a place may have a path before it, or only its end.
func (m mark) covers(p advice.Place, program string) bool {
	return m.close(p, program) || m.sameFile(p, program) && m.Function != "" && nameOf(p.Function) == m.Function
}

// close says whether a place is some lines from the mark at most.
func (m mark) close(p advice.Place, program string) bool {
	return m.sameFile(p, program) && math.Abs(float64(p.Line-int64(m.Line))) <= near
}

func (m mark) sameFile(p advice.Place, program string) bool {
	file, whole := filepath.ToSlash(p.File), path.Join(program, m.File)
	return file == whole || strings.HasSuffix(file, "/"+whole) || strings.HasSuffix("/"+whole, "/"+file)
}

// nameOf is a function without its package and without the literals in it: (*store).count of
// example.org/shop/main.(*store).count.func1.
func nameOf(function string) string {
	if i := strings.LastIndexByte(strings.SplitN(function, "[", 2)[0], '/'); i >= 0 {
		function = function[i+1:]
	}
	_, name, _ := strings.Cut(function, ".")
	for _, mark := range []string{".func", ".gowrap", ".deferwrap", "-range"} {
		name, _, _ = strings.Cut(name, mark)
	}
	return name
}

// judgement is what a trial showed.
type judgement struct {
	*trial
	Parts taken
	// Rank is that of the planted finding from 1 on; 0: it is not there.
	Rank int
	// Elsewhere says that the rule spoke, but about another place. As is a finding of another rule at a
	// planted line, or nil.
	Elsewhere bool
	As        *found
	Found     *found // the planted one, or nil
	// Predicted and Measured are the gain as shares of Key; Held is whether they agree, nil if one is unknown.
	Key                 string
	Predicted, Measured float64
	Held                *bool
	// Silent and Repaired say whether the rule was silent on the near miss and on the repaired program; nil
	// if that is not known.
	Silent, Repaired *bool
}

// judge judges the latest parts of a trial.
func judge(t *trial, parts taken) judgement {
	j := judgement{trial: t, Parts: parts, Silent: quiet(parts[silent], t.Rule), Repaired: quiet(parts[fixed], t.Rule)}
	r := parts[speaks]
	if r == nil || r.Said == nil {
		return j
	}
	for i, f := range r.Said.Findings {
		if f.at(t, t.dir(speaks), r.Marks) {
			j.Rank, j.Found = i+1, &r.Said.Findings[i]
			break
		}
		j.Elsewhere = j.Elsewhere || f.Rule == t.Rule
		if j.As == nil && slices.ContainsFunc(r.Marks, func(m mark) bool { return m.close(f.Place, t.dir(speaks)) }) {
			j.As = &r.Said.Findings[i]
		}
	}
	if j.Found != nil {
		j.weigh()
	}
	return j
}

// weigh holds the predicted gain against the measured one.
func (j *judgement) weigh() {
	j.Key, j.Predicted = keyOf[j.Found.Measure], j.Found.Gain
	r := j.Parts[gain]
	if r == nil || j.Predicted <= 0 {
		return
	}
	c, ok := r.Changes[j.Key]
	if !ok || c.Ratio <= 0 {
		return
	}
	j.Measured = 1 - c.Ratio
	held := math.Abs(j.Predicted-j.Measured) <= tolerance*math.Abs(j.Measured)
	j.Held = &held
}

// bounded says whether a change has an interval.
func (c change) bounded() bool { return c.High > 0 }

// String is a change in percent.
func (c change) String() string {
	text := fmt.Sprintf("%+.0f %%", 100*(c.Ratio-1))
	if c.bounded() {
		text += fmt.Sprintf(" (%+.0f ... %+.0f)", 100*(c.Low-1), 100*(c.High-1))
	}
	return text
}

// quiet says whether a rule did not speak.
func quiet(r *record, rule string) *bool {
	if r == nil || r.Said == nil {
		return nil
	}
	is := true
	for _, f := range r.Said.Findings {
		is = is && f.Rule != rule
	}
	return &is
}

// others are the findings beside the planted one that are worth a look.
func (j judgement) others(p part) (some []found) {
	r := j.Parts[p]
	if r == nil || r.Said == nil {
		return nil
	}
	for i, f := range r.Said.Findings {
		if f.Cost >= worth && (p != speaks || i+1 != j.Rank) {
			some = append(some, f)
		}
	}
	return some
}
