package main

import (
	"bytes"
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

// verdict is the growth from the first reading after settle to the greatest behind it.
func (s series) verdict(settle time.Duration) string {
	for i, r := range s {
		if r.after < settle {
			continue
		}
		most := r
		for _, later := range s[i:] {
			if later.rss > most.rss {
				most = later
			}
		}
		last := s[len(s)-1]
		return fmt.Sprintf("largest growth after %.0f s: %d kB (%d kB, %d kB after %.0f s); at the end %+d kB",
			r.after.Seconds(), most.rss-r.rss, r.rss, most.rss, most.after.Seconds(), last.rss-r.rss)
	}
	return "too few readings to speak of growth"
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
