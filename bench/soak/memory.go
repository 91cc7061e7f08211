package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// reading is a process's memory at a moment.
type reading struct {
	after     time.Duration
	rss, peak int // kB
}

// series is readings in order of time.
type series []reading

// watcher reads a process's memory in a goroutine of its own until end.
type watcher struct {
	stop chan struct{}
	out  chan series
}

// watch begins to read and to print. A process that is gone gives no more readings.
func watch(pid int, every time.Duration) *watcher {
	w := &watcher{stop: make(chan struct{}), out: make(chan series)}
	go func() {
		start, tick := time.Now(), time.NewTicker(every)
		defer tick.Stop()
		var s series
		for {
			select {
			case <-w.stop:
				w.out <- s
				return
			case <-tick.C:
				r, ok := read(pid)
				if !ok {
					continue
				}
				r.after = time.Since(start)
				s = append(s, r)
				fmt.Printf("%10.0f  %10d  %10d\n", r.after.Seconds(), r.rss, r.peak)
			}
		}
	}()
	return w
}

// end ends the watch and returns what was read.
func (w *watcher) end() series {
	close(w.stop)
	return <-w.out
}

// read reads VmRSS and VmHWM, proc_pid_status(5).
func read(pid int) (reading, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return reading{}, false
	}
	var r reading
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")))
		switch {
		case err != nil:
		case name == "VmRSS":
			r.rss = n
		case name == "VmHWM":
			r.peak = n
		}
	}
	return r, r.rss > 0 // a process that has ended but was not waited for has none
}

// growth is the first reading after settle, and the greatest from there on; false if there
// are fewer than two.
func (s series) growth(settle time.Duration) (first, most reading, ok bool) {
	for i, r := range s {
		if r.after < settle {
			continue
		}
		first, most = r, r
		for _, later := range s[i:] {
			if later.rss > most.rss {
				most = later
			}
		}
		return first, most, i < len(s)-1
	}
	return first, most, false
}

// verdict says how much memory grew after settle. It is an error if that is more than the
// kB allowed (0: any), or cannot be known.
func (s series) verdict(settle time.Duration, allowed int) (string, error) {
	first, most, ok := s.growth(settle)
	if !ok {
		return "", errors.New("too few readings to speak of growth")
	}
	grown := most.rss - first.rss
	text := fmt.Sprintf("largest growth after %.0f s: %d kB (%d kB, %d kB after %.0f s); at the end %+d kB",
		first.after.Seconds(), grown, first.rss, most.rss, most.after.Seconds(), s[len(s)-1].rss-first.rss)
	if allowed > 0 && grown > allowed {
		return text, fmt.Errorf("memory is not flat: %d kB more than after %v, allowed are %d", grown, settle, allowed)
	}
	return text, nil
}

// collections counts the lines of GODEBUG=gctrace=1.
func collections(stderr []byte) int {
	n := 0
	for line := range bytes.Lines(stderr) {
		if bytes.HasPrefix(line, []byte("gc ")) {
			n++
		}
	}
	return n
}
