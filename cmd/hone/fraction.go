package main

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// fraction is the value of a flag that takes a part of a whole: a fraction (0.01) or a percentage (1%).
type fraction float64

// fractionVar adds such a flag. Whether a value makes sense is for its reader to say.
func fractionVar(fl *pflag.FlagSet, to *float64, name string, value float64, usage string) {
	*to = value
	fl.Var((*fraction)(to), name, usage+", as a fraction or a percentage (0.01, 1%)")
}

// String implements pflag.Value.
func (f *fraction) String() string { return strconv.FormatFloat(float64(*f), 'g', -1, 64) }

// Type implements pflag.Value.
func (f *fraction) Type() string { return "fraction" }

// Set implements pflag.Value.
func (f *fraction) Set(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return errors.New("write a fraction or a percentage, such as 0.01 or 1%")
	}
	if percent {
		v /= 100
	}
	*f = fraction(v)
	return nil
}
