package read

import (
	"slices"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
)

// readMix adds the further targets of --also to the first one, each with its weight.
func readMix(l *spec.Load) error {
	switch {
	case len(l.Also) == 0 && l.Weights == nil:
		return nil
	case len(l.Also) == 0:
		return fail.New(fail.BadInput,
			"--weight is for several targets, and there is one").WithHint("name the others: --also /items --weight 9,1")
	case l.Weights != nil && len(l.Weights) != 1+len(l.Also):
		return fail.New(fail.BadInput, "--weight has %d weights for %d targets", len(l.Weights), 1+len(l.Also)).
			WithHint("the first weight is that of --target or --path, then one of each --also")
	}
	if i := slices.IndexFunc(l.Weights, func(w int) bool { return w < 1 }); i >= 0 {
		return fail.New(fail.BadInput, "--weight has the weight %d, want at least 1", l.Weights[i])
	}
	mix(l, l.Also)
	return nil
}

// targets makes the targets of a load test one target and a mix.
func (f *Requests) targets(l *spec.Load, targets []string) error {
	l.Target = targets[0]
	if err := f.Protocol(l); err != nil {
		return err
	}
	if l.Weights != nil && len(l.Weights) != len(targets) {
		return fail.New(fail.BadInput, "--weight has %d weights for %d targets", len(l.Weights), len(targets))
	}
	if len(targets) > 1 {
		mix(l, targets[1:])
	}
	return nil
}

// mix adds further targets to the first one. The weights are one for each of all of them, or none for equal ones.
func mix(l *spec.Load, further []string) {
	weight := func(i int) int {
		if l.Weights == nil {
			return 1
		}
		return l.Weights[i]
	}
	l.Protocol.Weight = weight(0)
	for i, target := range further {
		l.Protocol.Mix = append(l.Protocol.Mix, wire.Weighted{URL: target, Weight: weight(i + 1)})
	}
}
