package model

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/text/units"
)

// growthRows say what a run keeps of each request; none where nothing rises.
func growthRows(r lab.Record) []Row {
	g := r.Growth
	if g == nil {
		return nil
	}
	var parts []string
	if g.HeapBytes > 0 {
		parts = append(parts, units.Bytes(g.HeapBytes)+" of live heap per request"+heapPerMinute(g, memoryLimit(r.Binary.Variant.Env)))
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
func runHolders(r lab.Record, _ Detail) (Row, bool) {
	if r.Holders == nil {
		return Row{}, false
	}
	return Row{Name: "holds", Text: fmt.Sprintf("%s; paused %s", r.Holders.Line(), units.Nanos(float64(r.Holders.Paused))), Note: strings.Join(r.Holders.Missing, "; ")}, true
}

// heapPerMinute says how fast the live heap rises under this load, and when it reaches a limit; 0 is none.
func heapPerMinute(g *lab.Growth, limit float64) string {
	m := g.HeapPerMinute
	if m == nil {
		return ""
	}
	text := fmt.Sprintf(", %s a minute (95 %% interval %s ... %s)", units.Bytes(m.Value), units.Bytes(max(0, m.Low)), units.Bytes(m.High))
	switch left := limit - float64(g.HeapAtEnd); {
	case limit == 0 || m.Low <= 0:
	case left <= 0:
		text += ", over GOMEMLIMIT by now"
	default:
		text += fmt.Sprintf(", GOMEMLIMIT after %s more", units.Seconds(time.Duration(left/m.Value*float64(time.Minute))))
	}
	return text
}

// memoryLimit is GOMEMLIMIT of an environment in bytes, as the runtime reads it; 0 without one.
func memoryLimit(env []string) (limit float64) {
	for _, entry := range env { // the last one counts
		text, is := strings.CutPrefix(entry, "GOMEMLIMIT=")
		if !is {
			continue
		}
		number := strings.TrimRight(text, "KMGTiB")
		n, err := strconv.ParseFloat(number, 64)
		shift, known := map[string]int{"": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[text[len(number):]]
		if limit = 0; err == nil && known {
			limit = n * float64(uint64(1)<<shift)
		}
	}
	return limit
}
