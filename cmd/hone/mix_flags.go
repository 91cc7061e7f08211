package main

import (
	"slices"

	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/wire"
)

// mixFlags name further targets that run and compare load on the same connections.
type mixFlags struct {
	also    []string
	weights []int
}

func (f *mixFlags) add(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.also, "also", nil, "a further `TARGET` on the same host that shares the requests: a path or a URL (repeatable)")
	fl.IntSliceVar(&f.weights, "weight", nil, "`WEIGHTS` of --target (or --path) and of each --also, in their order: 9,1 (default: as much of each)")
}

// resolve adds the targets to the options of the first one.
func (f *mixFlags) resolve(o wire.Options) (wire.Options, error) {
	if len(f.also) == 0 {
		if f.weights != nil {
			return o, fail.New(fail.BadInput, "--weight is for several targets, and there is one").WithHint("name the others: --also /items --weight 9,1")
		}
		return o, nil
	}
	if f.weights != nil && len(f.weights) != 1+len(f.also) {
		return o, fail.New(fail.BadInput, "--weight has %d weights for %d targets", len(f.weights), 1+len(f.also)).
			WithHint("the first weight is that of --target or --path, then one of each --also")
	}
	weight := func(i int) int {
		if f.weights == nil {
			return 1
		}
		return f.weights[i]
	}
	if i := slices.IndexFunc(f.weights, func(w int) bool { return w < 1 }); i >= 0 {
		return o, fail.New(fail.BadInput, "--weight has the weight %d, want at least 1", f.weights[i])
	}
	o.Weight = weight(0)
	for i, target := range f.also {
		o.Mix = append(o.Mix, wire.Weighted{URL: target, Weight: weight(i + 1)})
	}
	return o, nil
}
