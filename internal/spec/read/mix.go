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
	return mix(l, l.Also)
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
	if len(targets) == 1 {
		return nil
	}
	return mix(l, targets[1:])
}

// mix makes further targets and the first one the requests. The weights are one for each of all of them, or none for
// equal ones.
func mix(l *spec.Load, further []string) error {
	o := &l.Protocol
	switch i := slices.IndexFunc(l.Weights, func(w int) bool { return w < 1 }); {
	case i >= 0:
		return fail.New(fail.BadInput, "--weight has the weight %d, want at least 1", l.Weights[i])
	case o.Sequence:
		return fail.New(fail.BadInput, "steps say all requests themselves").WithHint(
			"leave out --method, --body, --curl, --har, --access-log and --openapi, and give one target")
	case len(o.Requests) > 0:
		return fail.New(fail.BadInput, "further targets do not go with a list of requests").WithHint(
			"give one target: its host and port")
	}
	for i, path := range append([]string{""}, further...) { // the first is the target's own
		r := wire.Request{Path: path, Weight: 1}
		if l.Weights != nil {
			r.Weight = l.Weights[i]
		}
		o.Requests = append(o.Requests, r)
	}
	return nil
}
