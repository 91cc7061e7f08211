package service

import (
	"errors"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof/diff"
)

// functionPass is the length of the CPU profiles that are taken beside the usual ones while a gate
// on a function is open. Two starts of one program differ, so more starts tell more than longer
// profiles; a second keeps starting and warming up a small part.
const functionPass = time.Second

// compareFunction compares a function of the variant behind A with A's, by the profiles so far.
func (m *services) compareFunction(i int, function string, whole diff.Whole, alpha float64) (diff.FunctionRatio,
	error) {
	a, b := m.sides[0].profiles.Pieces["cpu"], m.sides[i+1].profiles.Pieces["cpu"]
	if len(a) == 0 || len(b) == 0 {
		return diff.FunctionRatio{}, judge.ErrNotObserved
	}
	whole.A *= m.sides[0].profiles.Covered.ReadShare()
	whole.B *= m.sides[i+1].profiles.Covered.ReadShare()
	seen, err := diff.Functions(a, b)
	if err != nil {
		return diff.FunctionRatio{}, err
	}
	name, err := gate.FunctionNamed(function, seen)
	if err != nil {
		return diff.FunctionRatio{}, gate.UnknownFunction(fmt.Sprintf("gate %q", "func("+function+")"), function, seen)
	}
	r, err := diff.CompareFunction(a, b, name, whole, alpha)
	if errors.Is(err, diff.ErrNoSample) {
		return r, judge.ErrNotObserved
	}
	return r, err
}

// refuseFunctions refuses gates on functions where no profiles are to be taken.
func refuseFunctions(r lab.Task) error {
	for _, g := range r.Gates {
		if g.Function != "" && r.ProfileTime <= 0 {
			return fail.New(fail.BadInput, "gate %s: it is judged by CPU profiles, and none are to be taken", g.Text).
				WithHint("leave out --no-profile, or the gate")
		}
	}
	return nil
}

// refuseGates refuses gates on what only the probe tells, where a variant has none.
func refuseGates(gates []gate.Gate, all []lab.Built) error {
	for _, g := range gates {
		for _, b := range all {
			if (probed(g.Measure) || g.Function != "") && !b.Binary.Probed {
				return fail.New(fail.BadInput,
					"gate %s: %s of %s is not known, since it is built without the probe (--set no-inject)",
					g.Text, g.Measure.Name, b.Binary.Variant.Name).WithHint("leave out the gate, or --set no-inject")
			}
		}
	}
	return nil
}

// probed says whether a measure comes from the probe.
func probed(m judge.Measure) bool { return m == measure.Allocs || m == measure.Bytes }
