package holders

import (
	"context"
	"io"

	"github.com/gohone/hone/prof/gotypes"
)

// Report says who holds the memory of a heap.
type Report struct {
	Schema string `json:"schema"`
	// GoVersion is that of the program.
	GoVersion string `json:"go_version"`
	// Bytes and Objects are all that the dump has; Held is what something holds. The rest is free after the next
	// collection.
	Bytes       uint64 `json:"bytes"`
	Objects     uint64 `json:"objects"`
	Held        uint64 `json:"held_bytes"`
	HeldObjects uint64 `json:"held_objects"`
	// Stacks are the bytes of the goroutines' stacks, which are not part of the heap.
	Stacks uint64 `json:"stack_bytes"`
	// Goroutines are those with the largest stacks, each group at least 5 % of Stacks.
	Goroutines []Goroutines `json:"goroutines,omitempty"`
	// Holders are what holds the most, the largest first: each at least 5 % of Bytes.
	Holders []Holder `json:"holders"`
	// Missing says what hone could not know, in words for the user.
	Missing []string `json:"missing,omitempty"`

	paths *paths
}

// Schema is that of a Report as JSON.
const Schema = "hone.holders/1"

// Holder is a variable or a field whose clearing frees what it holds.
type Holder struct {
	// Name leads from a variable to the field: "cache.sessions".
	Name string `json:"name"`
	// Type is its type, with short names of packages.
	Type string `json:"type,omitempty"`
	// Entries counts what is in a map, a slice, a channel or a list; 0 if it is not known.
	Entries uint64 `json:"entries,omitempty"`
	// Unit is what Entries counts: "entries", "elements".
	Unit string `json:"unit,omitempty"`
	// Function is the one whose frame has the variable, and Goroutines how many goroutines have such a frame.
	Function   string `json:"function,omitempty"`
	Goroutines uint64 `json:"goroutines,omitempty"`
	// Started and Waits are those of Goroutines.
	Started *Place `json:"started,omitempty"`
	Waits   *Wait  `json:"waits,omitempty"`
	// File and Line are where the variable is declared, of a frame where it goes on, of timers where the function begins
	// that they call; empty if it is not known.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Filled is the line of the program's own module that adds the entries, or sets the timers. Allocated is the one that
	// allocated most of the bytes, if it is another, and Caller the line of that module from which it was called. All by
	// the program's profile of allocations: nil without samples.
	Filled    *Place `json:"filled,omitempty"`
	Allocated *Place `json:"allocated,omitempty"`
	Caller    *Place `json:"caller,omitempty"`
	// Bytes and Objects are what would be free without it.
	Bytes   uint64 `json:"bytes"`
	Objects uint64 `json:"objects"`
	// Parts are what the bytes are, the largest first.
	Parts []Part `json:"parts"`
}

// Part is what a holder's bytes are: the field that refers to them.
type Part struct {
	Name    string `json:"name"`
	Bytes   uint64 `json:"bytes"`
	Objects uint64 `json:"objects"`
}

// Read reads a dump of size bytes and the file of the program that wrote it. A nil program has no names and no types.
// The memory it takes is about 60 bytes for each object of the dump. A dump that another program wrote is an error, and
// so is a context that ends.
func Read(ctx context.Context, dump io.ReaderAt, size int64, program *gotypes.Program) (*Report, error) {
	h, err := readHeap(ctx, dump, size, program)
	if err != nil {
		return nil, err
	}
	p, err := newPaths(ctx, newWalk(h))
	if err != nil {
		return nil, err
	}
	if program != nil && program.Fault() != nil {
		return nil, program.Fault()
	}
	r := &Report{
		Schema: Schema, GoVersion: h.layout.Version, Bytes: h.space.bytes, Objects: h.space.objects,
		Stacks: h.memory.StackInuse,
		Held:   p.all[0].cum, HeldObjects: p.all[0].all, Holders: []Holder{}, paths: p,
	}
	r.Goroutines = p.groups(r.Stacks)
	r.Missing = missing(h)
	err = r.find(dump, size)
	r.noteOfCleanups()
	return r, err
}

// missing says what is not known.
func missing(h *heap) (all []string) {
	if h.program == nil {
		return []string{"without the program's file names of variables and types are unknown"}
	}
	if h.program.Missing != "" {
		all = append(all, h.program.Missing)
	}
	if h.program.UnknownMaps {
		all = append(all,
			"this version of Go has maps of a layout that hone does not know: their keys and values have no names")
	}
	return all
}
