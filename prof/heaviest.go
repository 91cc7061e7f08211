package prof

// heaviest is the key of the largest weight, the first in order among equals; the zero key of
// no weights.
func heaviest[K comparable](weights map[K]float64, order func(x, y K) int) (best K) {
	first := true
	for key, v := range weights {
		if most := weights[best]; first || v > most || v == most && order(key, best) < 0 {
			best, first = key, false
		}
	}
	return best
}

func square(x float64) float64 { return x * x }
