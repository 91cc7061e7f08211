// Package geo has tracks and their geometry.
package geo

import "strconv"

// Track is the path of one hike.
type Track struct {
	Name   string
	Points []Point
}

// Length returns the track's length in meters.
func (t *Track) Length() float64 {
	sum := 0.0
	for i := 1; i < len(t.Points); i++ {
		sum += t.Points[i-1].Distance(t.Points[i])
	}
	return sum
}

// Simplify returns the track without points that are nearer to their predecessor than meters.
func (t *Track) Simplify(meters float64) *Track {
	out := &Track{Name: t.Name}
	for i, p := range t.Points {
		if i == 0 || p.Distance(out.Points[len(out.Points)-1]) >= meters {
			out.Points = append(out.Points, p)
		}
	}
	return out
}

// GeoJSON returns the track as a feature with a line string.
func (t *Track) GeoJSON() []byte {
	b := make([]byte, 0, 64+len(t.Points)*28)
	b = append(b, `{"type":"Feature","properties":{"name":`...)
	b = strconv.AppendQuote(b, t.Name)
	b = append(b, `,"meters":`...)
	b = strconv.AppendInt(b, int64(t.Length()), 10)
	b = append(b, `},"geometry":{"type":"LineString","coordinates":[`...)
	for i, p := range t.Points {
		if i > 0 {
			b = append(b, ',')
		}
		b = p.appendTo(b)
	}
	return append(b, "]}}"...)
}
