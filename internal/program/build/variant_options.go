package build

import (
	"errors"
	"slices"
)

// VariantOptions are what a command line says about variants beside their sources, each for
// all variants or for one:
//
//	--toolchain go1.25.5                  for all
//	--toolchain A=go1.25.5,B=go1.26.0     for A and for B
//	--env GOGC=200    --env B:GOGC=400    for all; for B
//	--flags -race     --flags B:-pgo=off  for all; for B
//	--set no-inject       --set no-inject=A       for all; for A
//
// A variant is called by its letter, or by its name in hone.yaml.
type VariantOptions struct {
	// Toolchain is one word for the whole of --toolchain.
	Toolchain string
	// Env are the words of --env. A key of the environment holds no colon, so that
	// NAME: before the first = can only be a variant.
	Env []string
	// Flags are the words of --flags. One that is for a variant starts with NAME:- and
	// is complete in itself (B:-tags=x, not B:-tags and x).
	Flags []string
	// NoInject is EveryVariant, or the names of those that are built without the probe,
	// separated by commas.
	NoInject string
}

// EveryVariant is the value of NoInject that names all.
const EveryVariant = "all"

// Apply returns the variants with the options. What is for one variant beats what the
// variant brings along, which beats what is for all: in Env and BuildFlags it comes
// later, and the last one counts. names[i] is what variant i is called beside its
// Name; empty, or no names at all, if it has no other.
//
// Errors are fail.BadInput, all at once (errors.Join), with the option, the column,
// counted in characters from 1, and the names that there are.
func (o VariantOptions) Apply(variants []Variant, names []string) ([]Variant, error) {
	w := called{variants: variants, names: names}
	toolchains, errToolchain := w.toolchains(o.Toolchain)
	env, errEnv := w.env(o.Env)
	flags, errFlags := w.flags(o.Flags)
	bare, errBare := w.bare(o.NoInject)
	if err := errors.Join(errToolchain, errEnv, errFlags, errBare); err != nil {
		return nil, err
	}
	all := slices.Clone(variants)
	for i := range all {
		v := &all[i]
		v.Env = slices.Concat(env.all, v.Env, env.one[i])
		v.NoInject = v.NoInject || bare[i]
		v.BuildFlags = slices.Concat(flags.all, v.BuildFlags, flags.one[i])
		for _, choice := range slices.Concat(toolchains.one[i], []string{v.Toolchain}, toolchains.all) {
			if choice != "" {
				v.Toolchain = choice
				break
			}
		}
	}
	return all, nil
}

// share divides the values of one option among the variants.
type share struct {
	all []string
	one map[int][]string // by the variant's number
}
