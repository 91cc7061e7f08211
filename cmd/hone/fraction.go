package main

import (
	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/spec"
)

// fractionVar adds a flag that takes a part of a whole.
func fractionVar(fl *pflag.FlagSet, to *float64, name string, value float64, usage string) {
	*to = value
	fl.Var((*spec.Fraction)(to), name, usage+", as a fraction or a percentage (0.01, 1%)")
}
