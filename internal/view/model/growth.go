package model

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// growthRows say what a run keeps of each request; none where nothing rises.
func growthRows(r record.Run) []Row {
	g := r.Growth
	if g == nil {
		return nil
	}
	var parts []string
	if g.HeapBytes > 0 {
		parts = append(parts, units.Bytes(g.HeapBytes)+" of live heap per request"+heapPerMinute(g, memoryLimits(r)))
	}
	if g.Goroutines > 0 {
		parts = append(parts, units.Digits(g.Goroutines)+" goroutines per request")
	}
	if g.Descriptors > 0 {
		parts = append(parts, units.Digits(g.Descriptors)+" descriptors per request")
	}
	note := "over " + units.Count(g.Requests) + " requests"
	if g.HeapBytes > 0 {
		note += "; a cache of more than that looks the same"
	}
	return []Row{{Name: "grows so far", Text: strings.Join(parts, "; "), Note: note, Tone: Warning}}
}

// runHolders says who held the memory at the end of a run; false where that is not known.
func runHolders(r record.Run, _ Detail) (Row, bool) {
	if r.Holders == nil {
		return Row{}, false
	}
	return Row{Name: "holds", Text: fmt.Sprintf("%s; paused %s", r.Holders.Line(),
		units.Nanos(float64(r.Holders.Paused))), Note: strings.Join(r.Holders.Missing, "; ")}, true
}

// memoryLimit is a limit that the heap grows towards.
type memoryLimit struct {
	name string
	// left is how many bytes are left, below 0 where it is passed.
	left float64
}

// memoryLimits are those of a run that grows: GOMEMLIMIT, and the memory of its box, of which all that is resident
// takes.
func memoryLimits(r record.Run) (all []memoryLimit) {
	if limit := memory.LimitOf(slices.Concat(r.Binary.Variant.Env, r.Binary.Variant.RunEnv)); limit > 0 {
		all = append(all, memoryLimit{"GOMEMLIMIT", float64(limit) - float64(r.Growth.HeapAtEnd)})
	}
	if b := r.Box; b != nil && b.Memory > 0 {
		all = append(all, memoryLimit{"the memory of the box (" + b.MemoryText() + ") is full",
			float64(b.Memory) - float64(r.ResidentBytes)})
	}
	return all
}

// heapPerMinute says how fast the live heap rises under this load, and when it reaches its limits.
func heapPerMinute(g *record.Growth, limits []memoryLimit) string {
	m := g.HeapPerMinute
	if m == nil {
		return ""
	}
	text := fmt.Sprintf(", %s a minute (95 %% interval %s ... %s)", units.Bytes(m.Value), units.Bytes(max(0, m.Low)),
		units.Bytes(m.High))
	for _, limit := range limits {
		switch {
		case m.Low <= 0:
		case limit.left <= 0:
			text += ", over " + strings.TrimSuffix(limit.name, " is full") + " by now"
		default:
			text += fmt.Sprintf(", %s after %s more", limit.name,
				units.Seconds(time.Duration(limit.left/m.Value*float64(time.Minute))))
		}
	}
	return text
}
