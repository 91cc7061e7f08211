package main

import (
	"slices"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
)

// mixed adds further targets to the options of the first one.
func mixed(f spec.Load, o wire.Options) (wire.Options, error) {
	if len(f.Also) == 0 {
		if f.Weights != nil {
			return o, fail.New(fail.BadInput, "--weight is for several targets, and there is one").WithHint("name the others: --also /items --weight 9,1")
		}
		return o, nil
	}
	if f.Weights != nil && len(f.Weights) != 1+len(f.Also) {
		return o, fail.New(fail.BadInput, "--weight has %d weights for %d targets", len(f.Weights), 1+len(f.Also)).
			WithHint("the first weight is that of --target or --path, then one of each --also")
	}
	weight := func(i int) int {
		if f.Weights == nil {
			return 1
		}
		return f.Weights[i]
	}
	if i := slices.IndexFunc(f.Weights, func(w int) bool { return w < 1 }); i >= 0 {
		return o, fail.New(fail.BadInput, "--weight has the weight %d, want at least 1", f.Weights[i])
	}
	o.Weight = weight(0)
	for i, target := range f.Also {
		o.Mix = append(o.Mix, wire.Weighted{URL: target, Weight: weight(i + 1)})
	}
	return o, nil
}
