package main

import "math"

type peak struct {
	At    int     `json:"at"`
	Value float64 `json:"value"`
}

// center takes the mean away.
func center(in []float64, mean float64) []float64 {
	out := make([]float64, len(in))
	for i, v := range in {
		out[i] = v - mean
	}
	return out
}

// smooth is the moving average over width samples.
func smooth(in []float64, width int) []float64 {
	out := make([]float64, len(in))
	ring := make([]float64, width)
	sum := 0.0
	for i, v := range in {
		sum += v - ring[i%width]
		ring[i%width] = v
		out[i] = sum / float64(width)
	}
	return out
}

// peaks returns the highest points of the smoothed samples.
func peaks(samples []float64, width int) []peak {
	mean := 0.0
	for _, v := range samples {
		mean += v / float64(len(samples))
	}
	var found []peak
	var a, b float64
	for at, v := range smooth(center(samples, mean), width) {
		if at > 1 && b > a && b > v && b > 1 {
			found = append(found, peak{At: at - 1, Value: math.Round(b*1000) / 1000})
		}
		a, b = b, v
	}
	return found
}
