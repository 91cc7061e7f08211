package workers

// Point is a place in degrees.
type Point struct{ Lat, Lon float64 }

const (
	alphabet = "0123456789bcdefghjkmnpqrstuvwxyz"
	letters  = 11
)

// Tag is the point's geohash.
func (p Point) Tag() string {
	lat, lon := [2]float64{-90, 90}, [2]float64{-180, 180}
	var out [letters]byte
	even := true
	for i := range out {
		ch := 0
		for range 5 {
			ch <<= 1
			side, v := &lat, p.Lat
			if even {
				side, v = &lon, p.Lon
			}
			even = !even
			if mid := (side[0] + side[1]) / 2; v >= mid {
				ch |= 1
				side[0] = mid
			} else {
				side[1] = mid
			}
		}
		out[i] = alphabet[ch]
	}
	return string(out[:])
}
