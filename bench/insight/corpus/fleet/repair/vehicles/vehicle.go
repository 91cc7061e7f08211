// Package vehicles knows where vehicles are and were.
package vehicles

import "math"

// Position is a place in meters, and when.
type Position struct {
	X, Y float64
	At   int64
}

// Distance is the way between two positions in meters.
func (p Position) Distance(q Position) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }

const kept = 32

// Vehicle is one vehicle with its last positions.
type Vehicle struct {
	ID      int
	Plate   string
	Free    bool
	Head    int
	History [kept]Position
}

// Last is the newest position.
func (v *Vehicle) Last() Position { return v.History[v.Head] }

// Add makes p the newest position.
func (v *Vehicle) Add(p Position) {
	v.Head = (v.Head + 1) % kept
	v.History[v.Head] = p
}
