package stats

import (
	"fmt"
	"math"
	"slices"
)

// Scatter is a variance that was estimated with so many degrees of freedom.
type Scatter struct {
	Variance float64 `json:"variance"`
	DF       int     `json:"df"`
}

// Prior is what is known of a variance before it is estimated: it counts as much as an estimate of Variance with DF
// degrees of freedom. The zero value knows nothing.
type Prior struct {
	Variance, DF float64
}

const (
	// FewestForPrior is how many variances a prior takes.
	FewestForPrior = 5
	// mostPriorDF bounds what a prior counts for, whatever its variances agree in: a value that is far off by itself
	// never looks certain then.
	mostPriorDF = 12
	// MostEarlierDF bounds a prior of earlier days: five days of a quiet machine agree, and tell little of a busy one.
	MostEarlierDF = 5
	// leastOfMiddle is the part of the middle variance that each counts for at least: one that is 0 by chance has no
	// logarithm.
	leastOfMiddle = 0.1
)

// PriorOf is the prior of variances of one kind, by the first two moments of their logarithms (Smyth 2004, "Linear
// models and empirical Bayes methods for assessing differential expression in microarray experiments", Statistical
// Applications in Genetics and Molecular Biology 3(1), section 6.2): they scatter by their estimation, and by what the
// true variances differ in, and the more these differ the less degrees of freedom the prior has. Wild variances are not
// taken out: they make the prior weak, which is on the safe side. Fewer than five are no prior, and it has at most as
// many degrees of freedom as there are variances, and no more than 12.
func PriorOf(all []Scatter) Prior {
	all = slices.DeleteFunc(slices.Clone(all), func(s Scatter) bool {
		return s.DF < 1 || !(s.Variance >= 0) || math.IsInf(s.Variance, 0)
	})
	var variances []float64
	for _, s := range all {
		variances = append(variances, s.Variance)
	}
	if len(all) < FewestForPrior {
		return Prior{}
	}
	middle, err := Median(variances)
	if err != nil || middle == 0 {
		return Prior{}
	}
	n, average, expected := float64(len(all)), 0.0, 0.0
	var logs []float64
	for _, s := range all {
		half := float64(s.DF) / 2
		e := math.Log(max(s.Variance, leastOfMiddle*middle)) - digamma(half) + math.Log(half)
		logs, average, expected = append(logs, e), average+e/n, expected+trigamma(half)/n
	}
	beyond := -expected
	for _, e := range logs {
		beyond += (e - average) * (e - average) / (n - 1)
	}
	most := min(n, mostPriorDF)
	p := Prior{DF: most}
	if beyond > trigamma(most/2) {
		p.DF = 2 * inverseTrigamma(beyond)
	}
	p.Variance = math.Exp(average + digamma(p.DF/2) - math.Log(p.DF/2))
	return p
}

// With is the estimate of a variance that the prior and a sample make together.
func (p Prior) With(s Scatter) (variance, df float64) {
	df = p.DF + float64(s.DF)
	return (p.DF*p.Variance + float64(s.DF)*s.Variance) / max(1, df), df
}

// AtMost is the prior with so many degrees of freedom at most.
func (p Prior) AtMost(df float64) Prior {
	p.DF = min(p.DF, df)
	return p
}

// Agrees says that a variance may be one of those that the prior is of, at a level: the F test, in the direction in
// which the prior would be too small.
func (p Prior) Agrees(s Scatter, alpha float64) bool {
	f := s.Variance / p.Variance
	a, b := float64(s.DF)/2, p.DF/2
	// The upper tail of F is an incomplete beta function.
	return incompleteBeta(b/(b+a*f), b, a) > alpha
}

// ModeratedP is StudentP with degrees of freedom that need not be whole.
func ModeratedP(t, df float64) float64 {
	return incompleteBeta(df/(df+t*t), df/2, 0.5)
}

// ModeratedWidth is StudentWidth with degrees of freedom that need not be whole.
func ModeratedWidth(alpha, df float64) float64 {
	return firstFloat(0, math.MaxFloat64, func(t float64) bool { return ModeratedP(t, df) <= alpha })
}

// digamma is the derivative of the logarithm of the gamma function at x > 0 (Abramowitz & Stegun 1964, 6.3.5 and 6.3.18).
func digamma(x float64) float64 {
	sum := 0.0
	for ; x < 10; x++ {
		sum -= 1 / x
	}
	y := 1 / (x * x)
	return sum + math.Log(x) - 1/(2*x) - y*(1.0/12-y*(1.0/120-y*(1.0/252-y/240)))
}

// trigamma is the derivative of digamma (6.4.6 and 6.4.12).
func trigamma(x float64) float64 {
	sum := 0.0
	for ; x < 10; x++ {
		sum += 1 / (x * x)
	}
	y := 1 / (x * x)
	return sum + 1/x + y/2 + y/x*(1.0/6-y*(1.0/30-y*(1.0/42-y/30)))
}

// inverseTrigamma is where trigamma, which falls, has a value over 0.
func inverseTrigamma(v float64) float64 {
	return firstFloat(1e-6, 1e9, func(x float64) bool { return trigamma(x) <= v })
}

// incompleteBeta is the regularised incomplete beta function I_x(a, b), by its continued fraction (Abramowitz & Stegun
// 1964, 26.5.8), evaluated as Lentz does.
func incompleteBeta(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - incompleteBeta(1-x, b, a)
	}
	lgA, _ := math.Lgamma(a)
	lgB, _ := math.Lgamma(b)
	lgAB, _ := math.Lgamma(a + b)
	front := math.Exp(lgAB-lgA-lgB+a*math.Log(x)+b*math.Log1p(-x)) / a
	c, d := 1.0, 1/(1-(a+b)*x/(a+1))
	f := d
	for m := 1.0; m < 500; m++ {
		step := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / (1 + step*d)
		c = 1 + step/c
		f *= c * d
		step = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / (1 + step*d)
		c = 1 + step/c
		f *= c * d
		if math.Abs(c*d-1) < 1e-15 {
			break
		}
	}
	return front * f
}

// String writes the standard deviation and the degrees of freedom.
func (p Prior) String() string {
	return fmt.Sprintf("+-%.3g with %.1f degrees of freedom", math.Sqrt(p.Variance), p.DF)
}
