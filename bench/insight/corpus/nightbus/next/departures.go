package main

import "slices"

// departures has each departure once, even if two companies run the line together.
type departures struct {
	lines []string
}

func (d *departures) merge(lines []string) {
	for _, l := range lines {
		if !slices.Contains(d.lines, l) {
			d.lines = append(d.lines, l)
		}
	}
}

func (d *departures) sort() { slices.Sort(d.lines) }
