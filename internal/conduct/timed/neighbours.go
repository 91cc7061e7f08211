package timed

import (
	"time"

	"github.com/gohone/hone/internal/sys/machine"
)

// Neighbour is a program that is not part of the measurement, and the CPU time that it used from
// the end of one slice to the end of the next.
type Neighbour struct {
	PID  int
	Name string
	CPU  time.Duration
}

// neighbourLeast is the CPU time of a neighbour in one slice that is kept: less is a program that
// wakes up now and then.
const neighbourLeast = 50 * time.Microsecond

func NeighboursOf(n *machine.Neighbours) (all []Neighbour) {
	for pid, cpu := range n.Next() {
		if cpu >= neighbourLeast {
			all = append(all, Neighbour{pid, n.Name(pid), cpu})
		}
	}
	return all
}

// Cores is the CPU time per second that other programs used during a slice; false if that is not
// known.
func (s Sample) Cores() (float64, bool) {
	if s.Conditions.Others == nil || s.Conditions.Elapsed <= 0 {
		return 0, false
	}
	return float64(*s.Conditions.Others) / float64(s.Conditions.Elapsed), true
}
