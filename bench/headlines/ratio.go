package main

import (
	"fmt"
	"math"

	"github.com/gohone/hone/stats"
)

// ratio is a figure relative to another one, with its 95 % interval. Low and High are 0
// where there is none.
type ratio struct{ Value, Low, High float64 }

func (r ratio) bounded() bool { return r.High > 0 }

// String has as many decimals as give Value three digits.
func (r ratio) String() string {
	if r.Value == 0 {
		return ""
	}
	if !r.bounded() {
		return number(r.Value, r.Value)
	}
	return fmt.Sprintf("%s (%s to %s)", number(r.Value, r.Value), number(r.Low, r.Value), number(r.High, r.Value))
}

// number prints x with the decimals that give like three digits.
func number(x, like float64) string {
	decimals := 0
	if like > 0 {
		decimals = min(max(2-int(math.Floor(math.Log10(like))), 0), 6)
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

// paired is b relative to a, which were taken in the same rounds: the centre of the rounds'
// ratios (stats.HodgesLehmann of their logarithms). It takes six rounds for an interval.
func paired(a, b []float64) (ratio, error) {
	logs, err := stats.LogRatios(a, b)
	if err != nil {
		return ratio{}, err
	}
	e, err := stats.HodgesLehmann(logs, 0.95)
	if err != nil {
		return ratio{}, err
	}
	r := ratio{Value: math.Exp(e.Value)}
	if e.Bounded() {
		r.Low, r.High = math.Exp(e.Low), math.Exp(e.High)
	}
	return r, nil
}

func has(r ratio, x float64) bool { return r.Low <= x && x <= r.High }

// agreement says whether what was measured goes the way of what was published.
func agreement(published float64, here ratio) string {
	switch {
	case published == 0 || here.Value == 0:
		return ""
	case !here.bounded():
		return "too few rounds for an interval"
	case has(here, published) && has(here, 1) && published != 1:
		return "**undecided**: no change is in the interval, too"
	case has(here, published):
		return "fits the published ratio"
	case published > 1 && here.High < 1, published < 1 && here.Low > 1:
		return "**the opposite of what was published**"
	case has(here, 1):
		return "**no difference shown here**"
	case published == 1:
		return "**a difference here, none published**"
	case math.Abs(math.Log(here.Value)) > math.Abs(math.Log(published)):
		return "the same way, by more"
	}
	return "the same way, by less"
}
