package main

import "math"

// power returns the power of the first n frequencies.
func power(samples []float64, n int) []float64 {
	out := make([]float64, n)
	for k := range out {
		re, im := 0.0, 0.0
		for i, v := range samples {
			s, c := math.Sincos(2 * math.Pi * float64(k+1) * float64(i) / float64(len(samples)))
			re += v * c
			im -= v * s
		}
		out[k] = re*re + im*im
	}
	return out
}

func strongest(spectrum []float64) int {
	best := 0
	for i, p := range spectrum {
		if p > spectrum[best] {
			best = i
		}
	}
	return best + 1
}
