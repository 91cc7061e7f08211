package geo

import (
	"fmt"
	"math"
)

// Point is a position in degrees, with its height in meters.
type Point struct {
	Lon, Lat float64
	Height   int
}

const earth = 6371000.0

// Distance returns the meters between two points on the sphere.
func (p Point) Distance(q Point) float64 {
	la1, la2 := p.Lat*math.Pi/180, q.Lat*math.Pi/180
	dla, dlo := la2-la1, (q.Lon-p.Lon)*math.Pi/180
	h := math.Pow(math.Sin(dla/2), 2) + math.Cos(la1)*math.Cos(la2)*math.Pow(math.Sin(dlo/2), 2)
	return 2 * earth * math.Asin(math.Sqrt(h))
}

func (p Point) appendTo(b []byte) []byte {
	return append(b, fmt.Sprintf("[%.6f,%.6f,%d]", p.Lon, p.Lat, p.Height)...)
}
