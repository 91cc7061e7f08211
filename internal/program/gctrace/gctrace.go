// Package gctrace reads the lines that a Go program with GODEBUG=gctrace=1 writes to its
// standard error, one for each collection. The format is in the documentation of package
// runtime; it has been the same since Go 1.10, but for two sizes that Go 1.18 added.
package gctrace

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Cycle is one collection.
type Cycle struct {
	// Number counts collections from 1.
	Number int `json:"number"`
	// At is when it began, since the start of the program.
	At time.Duration `json:"at_ns"`
	// Share is the part of the program's CPU time, from its start on, that the collector
	// took, in percent.
	Share int `json:"share_percent"`
	// Clock and CPU are how long its phases took, in wall time and in CPU time.
	Clock Clock `json:"clock"`
	CPU   CPU   `json:"cpu"`
	// HeapStart and HeapEnd are the sizes of the heap at its start and end, Live what was
	// marked, Goal the size at which it should have ended; in bytes, whole MB.
	HeapStart uint64 `json:"heap_start_bytes"`
	HeapEnd   uint64 `json:"heap_end_bytes"`
	Live      uint64 `json:"live_bytes"`
	Goal      uint64 `json:"goal_bytes"`
	// Stacks and Globals are what else is scanned, estimated; 0 before Go 1.18.
	Stacks  uint64 `json:"stack_bytes"`
	Globals uint64 `json:"global_bytes"`
	Procs   int    `json:"procs"`
	// Forced says that runtime.GC was called.
	Forced bool `json:"forced,omitempty"`
}

// Clock is the wall time of the phases. The world stands still in the first and last.
type Clock struct {
	SweepTermination time.Duration `json:"sweep_termination_ns"`
	Mark             time.Duration `json:"mark_ns"`
	MarkTermination  time.Duration `json:"mark_termination_ns"`
}

// Pause is for how long the world stood still.
func (c Clock) Pause() time.Duration { return c.SweepTermination + c.MarkTermination }

// CPU is the CPU time of the phases; marking is divided into what allocations did
// themselves, dedicated and fractional workers, and workers on idle processors.
type CPU struct {
	SweepTermination time.Duration `json:"sweep_termination_ns"`
	Assist           time.Duration `json:"assist_ns"`
	Background       time.Duration `json:"background_ns"`
	Idle             time.Duration `json:"idle_ns"`
	MarkTermination  time.Duration `json:"mark_termination_ns"`
}

// Total is all of it, idle processors included.
func (c CPU) Total() time.Duration {
	return c.SweepTermination + c.Assist + c.Background + c.Idle + c.MarkTermination
}

const number = `(\d+(?:\.\d+)?(?:e[+-]\d+)?)`

var cycleLine = regexp.MustCompile(`gc (\d+) @` + number + `s (\d+)%: ` +
	number + `\+` + number + `\+` + number + ` ms clock, ` +
	number + `\+` + number + `/` + number + `/` + number + `\+` + number + ` ms cpu, ` +
	`(\d+)->(\d+)->(\d+) MB, (\d+) MB goal, (?:(\d+) MB stacks, (\d+) MB globals, )?(\d+) P( \(forced\))?(?:$|[^\w].*$)`)

// ErrNotCycle says that a line is not about a collection.
var ErrNotCycle = errors.New("not a line of gctrace")

// Parse reads one line, also one to which a container's or the system's log has added words before and behind. Other
// lines, that programs write to the same place, are ErrNotCycle.
func Parse(line string) (Cycle, error) {
	c, _, err := parse(line)
	return c, err
}

// parse is Parse, and returns what stands before the collection.
func parse(line string) (c Cycle, before string, err error) {
	line = strings.ReplaceAll(strings.TrimRight(line, "\r\n"), `\u003e`, ">") // as JSON writes it
	words := cycleLine.FindStringSubmatch(line)
	if words == nil {
		return Cycle{}, "", ErrNotCycle
	}
	r := reader{words: words[1:]}
	c = Cycle{Number: r.integer(), At: r.duration(time.Second), Share: r.integer()}
	c.Clock = Clock{r.duration(time.Millisecond), r.duration(time.Millisecond), r.duration(time.Millisecond)}
	c.CPU = CPU{
		r.duration(time.Millisecond), r.duration(time.Millisecond), r.duration(time.Millisecond),
		r.duration(time.Millisecond), r.duration(time.Millisecond),
	}
	c.HeapStart, c.HeapEnd, c.Live, c.Goal = r.megabytes(), r.megabytes(), r.megabytes(), r.megabytes()
	c.Stacks, c.Globals, c.Procs = r.megabytes(), r.megabytes(), r.integer()
	c.Forced = r.words[0] != ""
	if r.err != nil {
		return Cycle{}, "", fmt.Errorf("read line of gctrace %q: %w", line, r.err)
	}
	before, _, _ = strings.Cut(line, words[0])
	return c, before, nil
}

// reader takes one number after another.
type reader struct {
	words []string
	err   error
}

func (r *reader) next() string {
	w := r.words[0]
	r.words = r.words[1:]
	return w
}

func (r *reader) integer() int {
	n, err := strconv.Atoi(r.next())
	r.err = errors.Join(r.err, err)
	return n
}

func (r *reader) duration(unit time.Duration) time.Duration {
	x, err := strconv.ParseFloat(r.next(), 64)
	x *= float64(unit)
	if err == nil && !(x < float64(1<<62)) {
		err = strconv.ErrRange
	}
	r.err = errors.Join(r.err, err)
	return time.Duration(x)
}

func (r *reader) megabytes() uint64 {
	word := r.next()
	if word == "" { // not in this release
		return 0
	}
	n, err := strconv.ParseUint(word, 10, 64)
	if err == nil && n > 1<<40 {
		err = strconv.ErrRange
	}
	r.err = errors.Join(r.err, err)
	return n << 20
}
