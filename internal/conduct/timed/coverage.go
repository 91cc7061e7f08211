package timed

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/usage"
)

// mostUnread is the share of a program's CPU time that processes without a reading may use
// before what the probes say is taken to be incomplete. A shell around the program, or a
// worker that ends, stays far below.
const mostUnread = 0.01

// Coverage is how much of a program's CPU time was used by processes whose probe was read:
// what allocations, collector and profiles are known of.
type Coverage struct {
	total time.Duration
	// unread is the CPU time of the others, by process.
	unread map[int]*unreadProcess
}

type unreadProcess struct {
	usage.ProcessCPU
	ended bool // it had a probe, and ended before the next reading
}

// Add takes in a window from one reading to the next, with the CPU times at both ends and
// the PIDs that answered.
func (c *Coverage) Add(before, after []usage.ProcessCPU, answeredBefore, answered map[int]bool) {
	at := map[int]time.Duration{}
	for _, p := range before {
		at[p.Number] = p.CPU
	}
	still := map[int]bool{}
	for _, p := range after {
		still[p.Number] = true
	}
	for _, p := range before { // of many that have ended the oldest became one: number 0
		if !still[p.Number] {
			at[0] += p.CPU
		}
	}
	for _, p := range after {
		p.CPU -= at[p.Number]
		if p.CPU <= 0 {
			continue
		}
		c.total += p.CPU
		if !answered[p.PID] {
			c.miss(unreadProcess{p, answeredBefore[p.PID]})
		}
	}
}

func (c *Coverage) miss(p unreadProcess) {
	if c.unread == nil {
		c.unread = map[int]*unreadProcess{}
	}
	if known := c.unread[p.Number]; known != nil {
		known.CPU += p.CPU
		known.ended = known.ended || p.ended
		return
	}
	c.unread[p.Number] = &p
}

// Merge adds the windows of another coverage. The starts of a program number their processes
// anew, so one of another start is told by its PID as well.
func (c *Coverage) Merge(other Coverage) {
	c.total += other.total
	for _, p := range other.unread {
		one := *p
		one.Number = one.Number<<32 | one.PID
		c.miss(one)
	}
}

// Read is the CPU time of the processes that were read.
func (c *Coverage) Read() time.Duration {
	read := c.total
	for _, p := range c.unread {
		read -= p.CPU
	}
	return read
}

// ReadShare is its part of the whole, 0 to 1; 1 where none was used.
func (c *Coverage) ReadShare() float64 {
	if c.total <= 0 {
		return 1
	}
	return float64(c.Read()) / float64(c.total)
}

// Incomplete says that too much was not read.
func (c *Coverage) Incomplete() bool { return c.ReadShare() < 1-mostUnread }

// Why says what was not read, as the end of a sentence.
func (c *Coverage) Why() string {
	all := make([]*unreadProcess, 0, len(c.unread))
	for _, p := range c.unread {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *unreadProcess) int {
		return cmp.Or(cmp.Compare(b.CPU, a.CPU), cmp.Compare(a.Number, b.Number))
	})
	const most = 3
	var names []string
	for _, p := range all[:min(most, len(all))] {
		text := fmt.Sprintf("%s (PID %d)", p.Name, p.PID)
		if p.PID == 0 {
			text = p.Name
		} else if p.ended {
			text += ", which ended before it was read"
		}
		names = append(names, text)
	}
	if n := len(all) - most; n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return fmt.Sprintf("%.0f %% of the CPU time was used by processes that the probe did not see: %s",
		100*(1-c.ReadShare()), strings.Join(names, "; "))
}

// UnseenWarning says what is missing where processes of the program were not seen by the timed
// readings or by the profiles; it is empty where nothing is.
func UnseenWarning(readings, profiles *Coverage) string {
	missing, worst := "", readings
	switch {
	case readings.Incomplete() && profiles.Incomplete():
		missing = "allocations and collector are not known, and profiles are incomplete"
	case readings.Incomplete():
		missing = "allocations and collector are not known"
	case profiles.Incomplete():
		missing, worst = "profiles are incomplete", profiles
	default:
		return ""
	}
	return fmt.Sprintf("%s: %s; a child process has the probe if it runs a program that hone built, "+
		"and inherits HONE_PROBE_SOCKET in its environment", missing, worst.Why())
}
