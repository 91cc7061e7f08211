package memory

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/text/units"
)

// A part is worth a sentence from that size on: of all that is resident, and in bytes.
const (
	leastShare = 0.1
	leastBytes = 1 << 20
)

// advise says of each large part what would make it smaller here.
func (a *Account) advise(c Classes, s byKind) {
	most, all := uint64(0), a.all()
	for i := range a.Parts {
		p := &a.Parts[i]
		if p.Bytes < leastBytes || float64(p.Bytes) < leastShare*float64(all) {
			continue
		}
		p.Reducible, p.Shrink = a.shrink(*p, c, s)
		p.Settings = settings(p.Name, c)
		if p.Reducible > most {
			most, a.Largest = p.Reducible, p.Name
		}
	}
}

// settings are the variables of the runtime that the sentence of a part names: each entry is one trial.
func settings(part string, c Classes) (all []string) {
	if part != Garbage && part != FreeSpans || !c.known() {
		return nil
	}
	lower := "GOGC=50"
	if c.GOGC < 0 || c.GOGC > 1.2*usualGOGC {
		lower = "GOGC=100"
	}
	if limit := c.lowLimit(); c.Limit == 0 && limit<<20 < c.inArenas()+c.structures() {
		all = append(all, fmt.Sprintf("GOMEMLIMIT=%dMiB", limit))
	}
	if part == Garbage {
		return append([]string{lower}, all...)
	}
	return append(all, lower)
}

// lowLimit is a GOMEMLIMIT in MiB that leaves the live heap half of itself to grow: with less, the collector would take
// the time of the program. The limit counts all that the runtime has mapped (A Guide to the Go Garbage Collector).
func (c Classes) lowLimit() uint64 { return limitFor(c.Live + c.Live/2 + c.Stacks + c.structures()) }

// shrink says how much of a part may go, and by what.
func (a *Account) shrink(p Part, c Classes, s byKind) (reducible uint64, how string) {
	switch p.Name {
	case LiveHeap, GoHeap:
		return p.Bytes, "who holds it: hone run --holders, or debug.WriteHeapDump and hone profile holders DUMP PROGRAM"
	case Garbage:
		return shrinkGarbage(p, c)
	case FreeSpans:
		return p.Bytes, shrinkFree(p, c)
	case Fragmentation:
		return p.Bytes, fmt.Sprintf("few objects are left in spans that were full: %s of free room in spans for %s of "+
			"live objects. Copy what outlives a peak (one slice for many objects, a fresh map), allocate it apart, or "+
			"make the peak lower", size(p.Bytes), size(c.Live))
	case Stacks:
		return p.Bytes, shrinkStacks(p, c)
	case Structures:
		return shrinkStructures(p)
	case Binary:
		return p.Bytes, "what was read or executed of the program: files that it embeds, large tables, packages. Read " +
			"large data from files, in parts; go tool nm -size -sort size PROGRAM lists what is large"
	case Files:
		return p.Bytes, fmt.Sprintf("unmap what is not in use, or madvise(MADV_DONTNEED); largest: %s. The kernel drops "+
			"clean pages by itself when memory is short", largest(p))
	case Shared:
		return p.Bytes, fmt.Sprintf("unmap and remove it; largest: %s. Neither the collector nor the kernel gives it back",
			largest(p))
	case Other:
		how = "memory of C code (malloc), or of syscall.Mmap: GOGC and GOMEMLIMIT do not count it. Free it where it is " +
			"allocated"
		if one := largestMapping(s[anonymous]); one.Resident*2 > p.Bytes {
			how += fmt.Sprintf(" (%s of it is one mapping of %s)", size(one.Resident), size(one.End-one.Start))
		}
		if c.Limit > 0 {
			how += fmt.Sprintf("; until then lower GOMEMLIMIT by %s", size(p.Bytes))
		}
		return p.Bytes, how
	case GivenBack:
		return 0, "the runtime has given it back, and the kernel takes it when memory is short (huge pages, or " +
			"GODEBUG=madvdontneed=0)"
	}
	return 0, ""
}

// usualGOGC is the runtime's default. Under smallestRoom a heap does not collect at all (defaultHeapMinimum).
const (
	usualGOGC    = 100
	smallestRoom = 4 << 20
)

func shrinkGarbage(p Part, c Classes) (reducible uint64, how string) {
	usual := max(c.Live, above(smallestRoom, c.Live)) // what GOGC=100 leaves room for
	goal := fmt.Sprintf("the heap grows to %s before the next collection", size(c.Goal))
	switch {
	case c.Goal > math.MaxInt64:
		return above(p.Bytes, usual), fmt.Sprintf("GOGC=off: nothing is collected. GOGC=100 collects at %s, GOMEMLIMIT sets "+
			"a limit", size(c.Live+usual))
	case c.GOGC < 0:
		return above(p.Bytes, usual), fmt.Sprintf("%s, by GOMEMLIMIT with GOGC=off. GOGC=100 collects at %s, a lower "+
			"GOMEMLIMIT earlier: both for more CPU time of the collector", goal, size(c.Live+usual))
	case c.GOGC > 1.2*usualGOGC:
		return above(p.Bytes, usual), fmt.Sprintf("%s (GOGC=%.0f). GOGC=100 collects at %s, which is up to %s less, for "+
			"more CPU time of the collector", goal, c.GOGC, size(c.Live+usual), size(above(p.Bytes, usual)))
	}
	how = fmt.Sprintf("%s. GOGC=50 collects at %s, for more CPU time of the collector; GOMEMLIMIT=%dMiB does so only "+
		"when memory is short", goal, size(c.Live+c.Live/2), c.lowLimit())
	return p.Bytes / 2, how
}

// shrinkFree says what gives free spans back. Those below the goal are of two kinds that one reading does not tell
// apart: the last collection freed them, or an earlier peak did in a program that hardly allocates any more.
func shrinkFree(p Part, c Classes) (how string) {
	below := uint64(0)
	for _, piece := range p.Of {
		if piece.Name == belowGoal {
			below = piece.Bytes
		}
	}
	if how = "it is of an earlier peak. The runtime gives it back slowly, in the background"; 2*below > p.Bytes {
		how = fmt.Sprintf("the heap may grow to %s before the next collection, and the runtime keeps memory for that: a "+
			"lower GOGC keeps less. A program that hardly allocates now has it of an earlier peak", size(c.Goal))
	}
	if c.Limit == 0 {
		how += fmt.Sprintf("; with GOMEMLIMIT=%dMiB it goes at once", c.lowLimit())
	}
	return how + "; a lower peak avoids it, debug.FreeOSMemory after the peak gives all of it back"
}

func shrinkStacks(p Part, c Classes) string {
	if c.Goroutines == 0 {
		return "fewer goroutines (a pool, a limit), or less on the stack of each: a collection halves a stack of which " +
			"less than a quarter is used"
	}
	text := fmt.Sprintf("%s goroutines with %s each", units.Count(c.Goroutines), size(p.Bytes/c.Goroutines))
	if deep(c) {
		return text + ": calls that are less deep, smaller local arrays, or fewer goroutines; a collection halves a stack " +
			"of which less than a quarter is used"
	}
	return text + ": fewer of them (a pool, a limit, no goroutine for what only waits)"
}

func shrinkStructures(p Part) (reducible uint64, how string) {
	if len(p.Of) > 0 && p.Of[0].Name == profileBuckets {
		return p.Of[0].Bytes, fmt.Sprintf("%s are of profiles: many different stacks allocate. A larger "+
			"runtime.MemProfileRate keeps fewer", largest(p))
	}
	return 0, fmt.Sprintf("largest: %s. They are as many as the largest heap needed, and are not given back: only a lower "+
		"peak has fewer", largest(p))
}

// limitFor is a GOMEMLIMIT in MiB with a tenth of room.
func limitFor(n uint64) uint64 { return n*11/10>>20 + 1 }

func size(n uint64) string { return units.Bytes(float64(n)) }

// largest names the largest piece of a part.
func largest(p Part) string {
	if len(p.Of) == 0 {
		return "not known"
	}
	return fmt.Sprintf("%s (%s)", p.Of[0].Name, size(p.Of[0].Bytes))
}

func largestMapping(all []Mapping) (one Mapping) {
	for _, m := range all {
		if m.Resident > one.Resident {
			one = m
		}
	}
	return one
}
