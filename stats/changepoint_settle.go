package stats

import "math"

// laplace is the Laplace distribution that fits a segment best: spread is the mean absolute
// deviation from the median.
type laplace struct{ median, spread float64 }

func fitLaplace(x []float64) (laplace, error) {
	middle, err := Median(x)
	if err != nil {
		return laplace{}, err
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Abs(v - middle)
	}
	return laplace{middle, sum / float64(len(x))}, nil
}

// unlikely is minus the logarithm of the density at v, less ln 2.
func (l laplace) unlikely(v float64) float64 {
	return math.Log(l.spread) + math.Abs(v-l.median)/l.spread
}

// sides fit the segments before and after a bound.
func (s *divisions) sides(i int) (before, after laplace, err error) {
	if before, err = fitLaplace(s.x[s.bounds[i-1]:s.bounds[i]]); err != nil {
		return before, after, err
	}
	after, err = fitLaplace(s.x[s.bounds[i]:s.bounds[i+1]])
	return before, after, err
}

// settle moves each change point to where it divides the values best.
func (s *divisions) settle() error {
	for i := 1; i < len(s.bounds)-1; i++ {
		before, after, err := s.sides(i)
		if err != nil {
			return err
		}
		if before.spread == 0 || after.spread == 0 { // no density: the medians alone say where
			before.spread, after.spread = 1, 1
		}
		if before != after {
			s.move(i, s.mostLikely(i, before, after))
		}
	}
	return nil
}

// mostLikely is the place between a bound's neighbours that fits both sides best; the first, if several do.
func (s *divisions) mostLikely(i int, before, after laplace) int {
	from, best, to := s.bounds[i-1], s.bounds[i], s.bounds[i+1]
	// gain is by how much more likely the values from ... at-1 are before the change than after it.
	most, gain := math.Inf(-1), 0.0
	for at := from; at <= to-s.o.MinSize; at++ {
		if at-from >= s.o.MinSize && gain > most {
			best, most = at, gain
		}
		gain += after.unlikely(s.x[at]) - before.unlikely(s.x[at])
	}
	return best
}

// move puts a bound elsewhere between its neighbours.
func (s *divisions) move(i, to int) {
	p := s.p[s.bounds[i]]
	delete(s.p, s.bounds[i])
	s.bounds[i], s.p[to] = to, p
}
