//go:build !linux

package machine

import "github.com/gohone/hone/internal/sys/cgroup"

// Delays watches the threads of a process; this system tells of none.
type Delays struct{}

// WatchDelays watches nothing.
func WatchDelays(int, int) *Delays { return &Delays{} }

// End is nil.
func (*Delays) End() []Delay { return nil }

// Quotas is zero: this system has no control groups.
func Quotas(int) (none cgroup.Counters) { return none }
