package spec

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// declare makes the row a flag of fl, with its value in s.
func (r Row) declare(fl *pflag.FlagSet, c Commands, s *Spec) *pflag.Flag {
	name, help := r.Name, r.Help
	switch p := r.To(s).(type) {
	case *string:
		fl.StringVar(p, name, "", help)
	case *bool:
		fl.BoolVar(p, name, false, help)
	case *int:
		fl.IntVar(p, name, 0, help)
	case *uint64:
		fl.Uint64Var(p, name, 0, help)
	case *float64:
		fl.Float64Var(p, name, 0, help)
	case *time.Duration:
		fl.DurationVar(p, name, 0, help)
	case *[]int:
		fl.IntSliceVar(p, name, nil, help)
	case *[]string:
		if r.Has(Commas) {
			fl.StringSliceVar(p, name, nil, help)
		} else {
			fl.StringArrayVar(p, name, nil, help)
		}
	case pflag.Value:
		fl.Var(p, name, help)
	default:
		panic(fmt.Sprintf("row %s has a value of an unknown kind: %T", name, p))
	}
	f := fl.Lookup(name)
	f.Shorthand = r.Short
	if name == "no-inject" {
		f.NoOptDefVal = everyVariant
	}
	if value := r.defaultOf(c); value != "" {
		if err := f.Value.Set(value); err != nil {
			panic(fmt.Sprintf("default of row %s: %v", name, err))
		}
		f.DefValue = f.Value.String()
	}
	return f
}

func (r Row) defaultOf(c Commands) string {
	for of, value := range r.By {
		if of&c != 0 {
			return value
		}
	}
	return r.Default
}

// Fraction is a part of a whole: a fraction (0.01) or a percentage (1%).
type Fraction float64

// String implements pflag.Value.
func (f *Fraction) String() string { return strconv.FormatFloat(float64(*f), 'g', -1, 64) }

// Type implements pflag.Value.
func (f *Fraction) Type() string { return "fraction" }

// Set implements pflag.Value. Whether a value makes sense is for its reader to say.
func (f *Fraction) Set(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return errors.New("write a fraction or a percentage, such as 0.01 or 1%")
	}
	if percent {
		v /= 100
	}
	*f = Fraction(v)
	return nil
}
