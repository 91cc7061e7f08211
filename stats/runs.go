package stats

import "math"

// RunsP is how often values of two kinds, in an order drawn at random, come in as few stretches of one kind (Wald &
// Wolfowitz 1940, "On a test whether two samples are from the same population", Annals of Mathematical Statistics
// 11(2)). Values of one kind alone have a P of 1.
func RunsP(kinds []bool) float64 {
	counts, runs := [2]int{}, 1
	for i, k := range kinds {
		if k {
			counts[1]++
		} else {
			counts[0]++
		}
		if i > 0 && k != kinds[i-1] {
			runs++
		}
	}
	a, b := counts[0], counts[1]
	if a == 0 || b == 0 {
		return 1
	}
	p := 0.0
	for r := 2; r <= runs; r++ {
		ways := math.Exp(logChoose(a-1, r/2-1)+logChoose(b-1, r/2-1)) * 2
		if r%2 == 1 {
			ways = math.Exp(logChoose(a-1, r/2)+logChoose(b-1, r/2-1)) +
				math.Exp(logChoose(a-1, r/2-1)+logChoose(b-1, r/2))
		}
		p += ways * math.Exp(-logChoose(a+b, a))
	}
	return min(1, p)
}

// logChoose is the logarithm of n over k; -Inf where there is no way.
func logChoose(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	all, _ := math.Lgamma(float64(n + 1))
	chosen, _ := math.Lgamma(float64(k + 1))
	rest, _ := math.Lgamma(float64(n - k + 1))
	return all - chosen - rest
}
