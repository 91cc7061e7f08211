package cases

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/proc"
)

// reading is a process's memory at a moment.
type reading struct {
	after     time.Duration
	rss, peak int64 // kB
}

// series is readings in order of time.
type series []reading

// watch reads a program's memory until it ends, with a row for each reading.
func watch(p *proc.Child, every time.Duration, t *bed.Table) (s series) {
	start, tick := time.Now(), time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-p.Ended():
			return s
		case <-tick.C:
		}
		now, peak, err := proc.Memory(p.Pid())
		if err != nil {
			continue // it is ending
		}
		r := reading{time.Since(start), now >> 10, peak >> 10}
		s = append(s, r)
		t.Row(fmt.Sprintf("%.0f", r.after.Seconds()), fmt.Sprint(r.rss), fmt.Sprint(r.peak))
	}
}

// verdict says how much memory grew after settle. It is an error if that is more than the
// kB allowed (0: any), or cannot be known.
func (s series) verdict(settle time.Duration, allowed int64) (string, error) {
	from := slices.IndexFunc(s, func(r reading) bool { return r.after >= settle })
	if from < 0 || from == len(s)-1 {
		return "", errors.New("too few readings to speak of growth")
	}
	first, most := s[from], slices.MaxFunc(s[from:], func(a, b reading) int { return cmp.Compare(a.rss, b.rss) })
	grown := most.rss - first.rss
	text := fmt.Sprintf("largest growth after %.0f s: %d kB (%d kB, %d kB after %.0f s); at the end %+d kB",
		first.after.Seconds(), grown, first.rss, most.rss, most.after.Seconds(), s[len(s)-1].rss-first.rss)
	if allowed > 0 && grown > allowed {
		return text, fmt.Errorf("%w: %d kB more than after %v, allowed are %d", errNotFlat, grown, settle, allowed)
	}
	return text, nil
}

// collections counts the lines of GODEBUG=gctrace=1.
func collections(stderr []byte) int {
	return strings.Count("\n"+string(stderr), "\ngc ")
}
