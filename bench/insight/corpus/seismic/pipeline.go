package main

import "math"

type peak struct {
	At    int     `json:"at"`
	Value float64 `json:"value"`
}

func source(samples []float64) <-chan float64 {
	out := make(chan float64)
	go func() {
		defer close(out)
		for _, v := range samples {
			out <- v
		}
	}()
	return out
}

// center takes the mean away.
func center(in <-chan float64, mean float64) <-chan float64 {
	out := make(chan float64)
	go func() {
		defer close(out)
		for v := range in {
			out <- v - mean
		}
	}()
	return out
}

// smooth is the moving average over width samples.
func smooth(in <-chan float64, width int) <-chan float64 {
	out := make(chan float64)
	go func() {
		defer close(out)
		ring := make([]float64, width)
		sum, i := 0.0, 0
		for v := range in {
			sum += v - ring[i%width]
			ring[i%width] = v
			i++
			out <- sum / float64(width)
		}
	}()
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
	at := 0
	for v := range smooth(center(source(samples), mean), width) {
		if at > 1 && b > a && b > v && b > 1 {
			found = append(found, peak{At: at - 1, Value: math.Round(b*1000) / 1000})
		}
		a, b = b, v
		at++
	}
	return found
}
