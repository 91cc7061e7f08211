package memory

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/program/probeclient"
)

// Classes are what the runtime of a process says of its memory, in bytes. It counts what is mapped, which need not be
// resident: a page is only in memory once it was written.
type Classes struct {
	// Objects are those that live and those that are garbage, Unused the rest of the spans that have any, Free spans
	// without objects, Released spans that were given back to the system. Stacks are those of goroutines. All five are
	// in the heap's arenas.
	Objects, Unused, Free, Released, Stacks uint64
	// Live is what the last collection left alive; Goal is the size at which the next one ends; 0 where that is not
	// known.
	Live, Goal uint64
	// Structures are the runtime's own, by name.
	Structures []Piece
	Goroutines uint64
	// GOGC is a percentage, below 0 for off, NaN where it is not known. Limit is GOMEMLIMIT, 0 without one.
	GOGC  float64
	Limit uint64
	// Collected is when the last collection ended; zero where that is not known.
	Collected time.Time
}

// Piece is a part of a part.
type Piece struct {
	Name  string `json:"name"`
	Bytes uint64 `json:"bytes"`
}

// arenas is all that is in the heap's arenas and not given back.
func (c Classes) inArenas() uint64 { return c.Objects + c.Unused + c.Free + c.Stacks }

func (c Classes) structures() (sum uint64) {
	for _, p := range c.Structures {
		sum += p.Bytes
	}
	return sum
}

// known says whether they are of a running Go program at all: each has objects.
func (c Classes) known() bool { return c.Objects > 0 }

// The names of runtime structures, as reports show them.
const (
	spanRecords    = "records of spans"
	spanCaches     = "caches of spans"
	profileBuckets = "profile buckets"
	collectorData  = "the collector's"
	threadStacks   = "stacks of threads"
	otherRuntime   = "other"
)

// classMetrics says which metric counts as what (runtime/metrics, Supported metrics).
var classMetrics = []struct {
	name string
	add  func(c *Classes, n uint64)
}{
	{"/memory/classes/heap/objects:bytes", func(c *Classes, n uint64) { c.Objects = n }},
	{"/memory/classes/heap/unused:bytes", func(c *Classes, n uint64) { c.Unused = n }},
	{"/memory/classes/heap/free:bytes", func(c *Classes, n uint64) { c.Free = n }},
	{"/memory/classes/heap/released:bytes", func(c *Classes, n uint64) { c.Released = n }},
	{"/memory/classes/heap/stacks:bytes", func(c *Classes, n uint64) { c.Stacks = n }},
	{"/gc/heap/live:bytes", func(c *Classes, n uint64) { c.Live = n }},
	{"/gc/heap/goal:bytes", func(c *Classes, n uint64) { c.Goal = n }},
	{"/sched/goroutines:goroutines", func(c *Classes, n uint64) { c.Goroutines = n }},
	{"/memory/classes/metadata/mspan/inuse:bytes", structure(spanRecords)},
	{"/memory/classes/metadata/mspan/free:bytes", structure(spanRecords)},
	{"/memory/classes/metadata/mcache/inuse:bytes", structure(spanCaches)},
	{"/memory/classes/metadata/mcache/free:bytes", structure(spanCaches)},
	{"/memory/classes/profiling/buckets:bytes", structure(profileBuckets)},
	{"/memory/classes/metadata/other:bytes", structure(collectorData)},
	{"/memory/classes/os-stacks:bytes", structure(threadStacks)},
	{"/memory/classes/other:bytes", structure(otherRuntime)},
}

const (
	gogcMetric  = "/gc/gogc:percent"
	limitMetric = "/gc/gomemlimit:bytes"
)

// Metrics are the names of what FromMetrics reads.
func Metrics() []string {
	names := []string{gogcMetric, limitMetric}
	for _, m := range classMetrics {
		names = append(names, m.name)
	}
	return names
}

// structure adds to the structures of one name.
func structure(name string) func(c *Classes, n uint64) {
	return func(c *Classes, n uint64) {
		for i := range c.Structures {
			if c.Structures[i].Name == name {
				c.Structures[i].Bytes += n
				return
			}
		}
		c.Structures = append(c.Structures, Piece{name, n})
	}
}

// FromMetrics reads runtime/metrics of the probe.
func FromMetrics(m probeclient.Metrics) Classes {
	c := Classes{GOGC: math.NaN()}
	for _, class := range classMetrics {
		if value, ok := m[class.name]; ok {
			class.add(&c, value.Uint64)
		}
	}
	if value, ok := m[gogcMetric]; ok {
		c.GOGC = value.Value
		if value.Uint64 > math.MaxInt32 { // off is -1 (GOROOT/src/runtime/metrics.go)
			c.GOGC = -1
		}
	}
	if value, ok := m[limitMetric]; ok && value.Uint64 < math.MaxInt64 {
		c.Limit = value.Uint64
	}
	return c
}
