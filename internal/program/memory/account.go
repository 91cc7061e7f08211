package memory

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/units"
)

// The names of the parts.
const (
	LiveHeap      = "live heap"
	Garbage       = "garbage"
	FreeSpans     = "free spans kept"
	Fragmentation = "fragmentation in spans"
	Stacks        = "goroutine stacks"
	Structures    = "runtime structures"
	GivenBack     = "given back, still resident"
	Binary        = "binary"
	Files         = "mmap of files"
	Shared        = "shared memory"
	Other         = "cgo and other anonymous memory"
	GoHeap        = "Go heap" // where the runtime does not say more of it
	PageCache     = "page cache"
)

// belowGoal is the piece of the free spans that allocation may fill before the next collection.
const belowGoal = "below the goal of the next collection"

// Schema is that of an Account as JSON.
const Schema = "hone.memory/1"

// Account is where the resident memory of a process is.
type Account struct {
	Schema string `json:"schema"`
	PID    int    `json:"pid,omitempty"`
	// Resident is the sum over all mappings; 0 where they are not known: the parts are what is mapped then. The parts, largest first, and what is not accounted for add up to it.
	Resident    uint64 `json:"rss_bytes"`
	Parts       []Part `json:"parts"`
	Unaccounted uint64 `json:"not_accounted_bytes"`
	// Largest is the name of the part of which the most may go, which may be the page cache; empty where all are small.
	Largest string `json:"largest,omitempty"`
	// Swapped is not resident.
	Swapped uint64 `json:"swapped_bytes,omitempty"`
	// Untouched is what the Go heap has mapped and the kernel has not in memory: it is in no part.
	Untouched uint64 `json:"untouched_bytes,omitempty"`
	// Collected says how long ago the last collection ended; 0 where that is not known.
	Collected time.Duration `json:"since_collection_ns,omitempty"`
	// Cached are the open files of the process in the page cache, which is not resident memory of it.
	Cached *Cached `json:"page_cache,omitempty"`
	// Group is the control group that limits the process; nil where there is none to be seen.
	Group *cgroup.Memory `json:"group,omitempty"`
	// Missing says what could not be told.
	Missing []string `json:"missing,omitempty"`
}

// Part is one of them.
type Part struct {
	Name  string `json:"name"`
	Bytes uint64 `json:"bytes"`
	// Of are the largest pieces of it, as far as they are known.
	Of []Piece `json:"of,omitempty"`
	// Reducible is how much of it may go; 0 of a small part.
	Reducible uint64 `json:"reducible_bytes,omitempty"`
	// Shrink says what would make it smaller in this process; empty of a small part.
	Shrink string `json:"shrink,omitempty"`
	// Settings are those among that which need no change of source, as the program's environment has them: "GOGC=50".
	Settings []string `json:"settings,omitempty"`
}

// Settings are those of all parts, the part of which most may go first.
func (a *Account) Settings() (all []Suggestion) {
	parts := slices.Clone(a.Parts)
	slices.SortStableFunc(parts, func(p, q Part) int { return cmp.Compare(q.Reducible, p.Reducible) })
	for _, p := range parts {
		for _, s := range p.Settings {
			if !slices.ContainsFunc(all, func(o Suggestion) bool { return o.Setting == s }) {
				all = append(all, Suggestion{s, p.Name})
			}
		}
	}
	return all
}

// Suggestion is a setting, and the part that it should make smaller.
type Suggestion struct{ Setting, Part string }

// Part is the part of that name; nil if there is none.
func (a *Account) Part(name string) *Part {
	if i := slices.IndexFunc(a.Parts, func(p Part) bool { return p.Name == name }); i >= 0 {
		return &a.Parts[i]
	}
	return nil
}

// all is what the parts are parts of.
func (a *Account) all() uint64 {
	if a.Resident > 0 {
		return a.Resident
	}
	return max(1, a.sum())
}

// sum is that of the parts.
func (a *Account) sum() (sum uint64) {
	for _, p := range a.Parts {
		sum += p.Bytes
	}
	return sum
}

// mostPieces are shown of a part.
const mostPieces = 5

func (a *Account) add(name string, n uint64, of ...Piece) {
	if n == 0 {
		return
	}
	of = slices.DeleteFunc(of, func(p Piece) bool { return p.Bytes == 0 })
	slices.SortStableFunc(of, compareDown)
	a.Parts = append(a.Parts, Part{Name: name, Bytes: n, Of: of[:min(len(of), mostPieces)]})
}

// OneOf says that the account is of one of several processes.
func (a *Account) OneOf(processes int) {
	if processes > 1 {
		a.miss("the other processes: it is the account of the main process, one of %d", processes)
	}
}

func (a *Account) miss(format string, args ...any) {
	a.Missing = append(a.Missing, fmt.Sprintf(format, args...))
}

// New makes the account of the mappings of a process and of what its runtime says. The zero Classes stand for a runtime
// that does not say anything.
func New(all []Mapping, executable string, c Classes) *Account {
	a := &Account{Schema: Schema, Resident: residentOf(all)}
	s := sorted(all, kindsOf(all, executable))
	for _, m := range all {
		a.Swapped += m.Swapped
	}
	inArenas := a.heap(s, c)
	a.outside(s, c, inArenas)
	a.add(Binary, s.sum(program)+s.sum(library), binaryPieces(s)...)
	a.add(Files, s.sum(file), byPath(s[file])...)
	a.add(Shared, s.sum(shared), byPath(s[shared])...)
	a.finish(c, s)
	return a
}

// finish sorts the parts, and says what they leave and what would make them smaller.
func (a *Account) finish(c Classes, s byKind) {
	slices.SortStableFunc(a.Parts, func(p, q Part) int { return cmp.Compare(q.Bytes, p.Bytes) })
	a.Unaccounted = above(a.Resident, a.sum())
	a.advise(c, s)
}

// byKind are the mappings of each kind.
type byKind map[kind][]Mapping

func sorted(all []Mapping, kinds []kind) byKind {
	s := byKind{}
	for i, m := range all {
		s[kinds[i]] = append(s[kinds[i]], m)
	}
	return s
}

func (s byKind) sum(k kind) uint64 { return residentOf(s[k]) }

// heap adds what is in the arenas of the Go heap, and returns how much of them are structures of the runtime.
//
// The runtime counts what it has mapped, the kernel what is resident. Where less is resident, the pages were never
// written: of large objects, which come zeroed from the system, of the tails of young spans, and of stacks that have
// grown, which are copied to the upper half of their new place. Where more is, the collector's buffers are there as
// well, or the kernel keeps pages that were given back.
func (a *Account) heap(s byKind, c Classes) (structures uint64) {
	resident := s.sum(arena)
	if !c.known() {
		if resident > 0 {
			a.add(GoHeap, resident)
			a.miss("how the Go heap is used: the runtime of the process could not be asked")
		}
		return 0
	}
	objects, unused, free, stacks := c.Objects, c.Unused, c.Free, c.Stacks
	if mapped := c.inArenas(); resident >= mapped {
		more := resident - mapped
		back := min(more, c.Released, kept(s[arena]))
		structures = min(more-back, c.structures())
		a.add(GivenBack, back)
	} else {
		a.Untouched = mapped - resident
		objects, unused, free, stacks = c.touched(resident)
	}
	a.inHeap(c, objects, unused, free, stacks)
	return structures
}

// inHeap adds the parts of the heap, of which so much is resident: spans in use have live objects, garbage and room;
// free spans are kept whatever they are kept for. What of the free spans lies below the goal of the next collection is
// a piece of its own: an allocating program fills it again before that, an idle one keeps it of an earlier peak.
func (a *Account) inHeap(c Classes, objects, unused, free, stacks uint64) {
	live, growth := objects, uint64(0)
	if c.Live == 0 {
		a.miss("how much of the heap's objects is garbage: they all count as live (no collection yet, or it does not say)")
	} else {
		live = uint64(float64(objects) * min(1, float64(c.Live)/float64(max(1, c.Objects))))
		if c.Goal < math.MaxInt64 {
			growth = above(c.Goal, c.Objects)
		}
	}
	freeBelow := min(growth, free)
	swept := min(growth-freeBelow, unused)
	a.add(LiveHeap, live)
	a.add(Garbage, objects-live+swept, Piece{"allocated since the last collection", objects - live},
		Piece{"swept from spans in use, to be filled again", swept})
	a.add(FreeSpans, free, Piece{belowGoal, freeBelow}, Piece{"above it", free - freeBelow})
	a.add(Fragmentation, unused-swept)
	a.add(Stacks, stacks)
	if !c.Collected.IsZero() {
		a.Collected = max(0, time.Since(c.Collected))
	}
}

// touched is how much of the heap is resident, where less is than it has mapped.
func (c Classes) touched(resident uint64) (objects, unused, free, stacks uint64) {
	stacks = c.Stacks
	if deep(c) {
		stacks -= min(above(c.inArenas(), resident), stacks/2)
	}
	return shareOut(resident, c.Objects, c.Unused, c.Free, stacks)
}

// deep says that the stacks of goroutines have grown, on average: small ones share pages.
func deep(c Classes) bool { return c.Goroutines > 0 && c.Stacks/c.Goroutines > 8<<10 }

// kept is what the kernel may keep of pages that were given back: those that it takes when it needs them (MADV_FREE),
// and huge pages, which are in memory as a whole.
func kept(all []Mapping) (sum uint64) {
	for _, m := range all {
		sum += m.Lazy + m.Huge
	}
	return sum
}

// shareOut makes four amounts smaller, in proportion, so that they add up to a total. What is free was in use once: it
// was written as far as what is in use.
func shareOut(total, objects, unused, free, stacks uint64) (_, _, _, _ uint64) {
	f := float64(total) / float64(max(1, objects+unused+free+stacks))
	unused, free, stacks = uint64(f*float64(unused)), uint64(f*float64(free)), uint64(f*float64(stacks))
	return above(total, unused+free+stacks), unused, free, stacks
}

// outside adds the anonymous memory outside of the arenas: the runtime's structures and all other. Where they have no
// names, the runtime has as much as it says, of the mappings that are not larger than that.
func (a *Account) outside(s byKind, c Classes, inArenas uint64) {
	says := above(c.structures(), inArenas)
	var brk, may, other uint64
	for _, m := range s[anonymous] {
		switch {
		case m.Path == "[heap]":
			brk += m.Resident
		case m.Resident > says || strings.HasPrefix(m.Path, "[anon:"):
			other += m.Resident
		default:
			may += m.Resident
		}
	}
	ofRuntime := min(may, says)
	if len(s[structures]) > 0 {
		ofRuntime = 0
	}
	other += may - ofRuntime
	ofRuntime += s.sum(structures)
	ofRuntime += inArenas
	first := s.sum(stack)
	var pieces []Piece
	if sum := c.structures(); sum > 0 {
		for _, p := range c.Structures {
			pieces = append(pieces, Piece{p.Name, uint64(float64(p.Bytes) * float64(ofRuntime) / float64(sum))})
		}
	}
	a.add(Structures, ofRuntime+first, append(pieces, Piece{"the first thread's stack", first})...)
	a.add(Other, other+brk, Piece{"the C library's heap (brk)", brk}, Piece{"other mappings", other})
}

// binaryPieces are what of an executable and its libraries is resident.
func binaryPieces(s byKind) []Piece {
	text, data, variables := Piece{Name: "text"}, Piece{Name: "read-only data"}, Piece{Name: "variables"}
	for _, m := range s[program] {
		into := &data
		switch {
		case strings.Contains(m.Perms, "x"):
			into = &text
		case strings.Contains(m.Perms, "w"):
			into = &variables
		}
		into.Bytes += m.Resident
	}
	return []Piece{text, data, variables, {"shared libraries", s.sum(library)}}
}

// byPath adds up the mappings of each file.
func byPath(all []Mapping) (pieces []Piece) {
	for _, m := range all {
		name := filepath.Base(strings.TrimSuffix(m.Path, " (deleted)"))
		if i := slices.IndexFunc(pieces, func(p Piece) bool { return p.Name == name }); i >= 0 {
			pieces[i].Bytes += m.Resident
		} else {
			pieces = append(pieces, Piece{name, m.Resident})
		}
	}
	return pieces
}

// Line is the account in one line: the shares of the largest parts, and what is not accounted for.
func (a *Account) Line() string {
	var all []string
	share := func(name string, n uint64) {
		all = append(all, name+" "+units.Share(float64(n)/float64(max(1, a.Resident))))
	}
	for _, p := range a.Parts[:min(3, len(a.Parts))] {
		if len(all) == 0 || p.Bytes*20 >= a.Resident {
			share(p.Name, p.Bytes)
		}
	}
	if a.Unaccounted*50 > a.Resident {
		share("not accounted for", a.Unaccounted)
	}
	return strings.Join(all, ", ")
}
