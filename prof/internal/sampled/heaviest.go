package sampled

// Heaviest is the key of the largest weight, the first in order among equals; the zero key of
// no weights.
func Heaviest[K comparable](weights map[K]float64, order func(x, y K) int) (best K) {
	first := true
	for key, v := range weights {
		if most := weights[best]; first || v > most || v == most && order(key, best) < 0 {
			best, first = key, false
		}
	}
	return best
}

func Square(x float64) float64 { return x * x }
