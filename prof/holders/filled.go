package holders

import (
	"math"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/prof/heapdump"
	"github.com/gohone/hone/prof/symbol"
)

// allocations is the profile of allocations of the program: a dump has its records, and which objects it sampled.
type allocations struct {
	records map[uint64]allocation // by the address of the runtime's record
	samples []sample
	// sampled are the objects that have a sample, with their paths when these are known.
	sampled bits
	found   map[uint32]uint32
}

// allocation is a record of the profile.
type allocation struct {
	sites
	// adds says that a container made the object while an entry was added, or that it is a timer.
	adds bool
	size uint64
	// calls are those in the program's own module, the innermost first.
	calls []Place
}

// mostCalls is how many calls of a record are kept.
const mostCalls = 6

// sites are the innermost calls in the program's own module: the one that allocates, and the one that called it.
type sites struct{ at, by Place }

// sample says which record an object has, by their addresses.
type sample struct{ object, record uint64 }

// mostSamples bounds the samples that are kept, of programs that sample each object.
const mostSamples = 1 << 21

// addRecord notes a record of the profile.
func (a *allocations) addRecord(rec *heapdump.Entry, own func(symbol.Frame) bool) {
	if a.records == nil {
		a.records = map[uint64]allocation{}
	}
	one := allocation{size: rec.Size}
	for _, f := range rec.Sites {
		one.adds = one.adds || one.at.File == "" && addsIn(f.Function)
		if !own(f) {
			continue
		}
		if one.calls = append(one.calls, Place{Function: f.Function, File: f.File, Line: int(f.Line)}); len(one.calls) == 1 {
			one.at = one.calls[0]
		} else if one.by.File == "" {
			one.by = one.calls[1]
		}
		if len(one.calls) == mostCalls {
			break
		}
	}
	if one.at.File != "" {
		a.records[rec.Address] = one
	}
}

// addsIn says whether a function of the runtime or of the standard library makes room for another entry, or a timer.
func addsIn(function string) bool {
	switch function {
	case "runtime.growslice", "time.AfterFunc", "time.NewTimer", "time.NewTicker", "time.After":
		return true
	}
	return strings.HasPrefix(function, "runtime.mapassign") || strings.HasPrefix(function, "internal/runtime/maps.") ||
		strings.HasPrefix(function, "internal/sync.(*HashTrieMap") || strings.HasPrefix(function, "container/list.")
}

func (a *allocations) addSample(rec *heapdump.Entry) {
	if len(a.samples) < mostSamples {
		a.samples = append(a.samples, sample{rec.Address, rec.Type})
	}
}

// ownCode says which frames of the profile are in the code of the program's own module; of any module that is not the
// standard library where that is not known.
func (h *heap) ownCode() func(symbol.Frame) bool {
	if h.program == nil {
		return func(f symbol.Frame) bool { return symbol.IsUser(f.Function, "") }
	}
	main, _ := h.program.Begins("runtime.main")
	library := filepath.Dir(filepath.Dir(main)) + "/" // a function that was inlined has its own file, and its caller's name
	module := h.program.Module
	return func(f symbol.Frame) bool {
		p := symbol.PackagePath(f.Function)
		own := p == "main" || p == module || strings.HasPrefix(p, module+"/")
		if module == "" {
			own = symbol.IsUser(f.Function, "")
		}
		if !filepath.IsAbs(main) { // built with -trimpath
			return own && !symbol.IsProbe(f.Function) && (module == "" || strings.HasPrefix(f.File, module+"/"))
		}
		return own && !symbol.IsProbe(f.Function) && !strings.HasPrefix(f.File, library)
	}
}

// number finds the objects of the samples.
func (a *allocations) number(s *space) {
	for _, one := range a.samples {
		if n, _, _, ok := s.find(one.object); ok {
			a.sampled.set(n)
		}
	}
	a.found = map[uint32]uint32{}
}

// allocated says where what a path holds is from: the line that adds the entries of its container, and the line that
// allocated most of the bytes. The first is known of samples of the container growing, or if it is a call on the way to
// an allocation whose line has the name of the variable or the field.
func (p *paths) allocated(at uint32, h *Holder) {
	w := p.walk
	rate := float64(w.space.bytes) / float64(max(1, len(w.allocations.samples))) // bytes for each sample, roughly
	name := p.filledName(at)
	adds, names, all := map[sites]float64{}, map[sites]float64{}, map[sites]float64{}
	for _, s := range w.allocations.samples {
		n, _, _, ok := w.space.find(s.object)
		in, reached := w.allocations.found[n]
		record, known := w.allocations.records[s.record]
		if !ok || !reached || !known || !p.below(in, at) {
			continue
		}
		size := float64(record.size)
		bytes := size / (1 - math.Exp(-size/rate))
		all[record.sites] += bytes
		if record.adds && name != "" && (in == at || p.label(in).typ == timerType) {
			adds[record.sites] += bytes
		}
		for _, c := range record.calls {
			if w.program.Mentions(c.File, c.Line, name) {
				names[sites{at: c}] += bytes
				break
			}
		}
	}
	for _, of := range []map[sites]float64{adds, names} {
		if most, ok := most(of); ok && h.Filled == nil {
			h.Filled = &most.at
		}
	}
	if most, ok := most(all); ok && (h.Filled == nil || *h.Filled != most.at) {
		h.Allocated = &most.at
		if most.by.File != "" {
			h.Caller = &most.by
		}
	}
}

// filledName is the name that the source has of the variable or the field at the end of a path; empty of goroutines.
func (p *paths) filledName(at uint32) string {
	l := p.label(at)
	if l.kind == goroutine || l.kind == frame {
		return ""
	}
	return l.part[strings.LastIndexByte(l.part, '.')+1:]
}

// most are the sites with the most bytes.
func most(all map[sites]float64) (most sites, ok bool) {
	for one, bytes := range all {
		if !ok || bytes > all[most] || bytes == all[most] && one.at.before(most.at) {
			most, ok = one, true
		}
	}
	return most, ok
}

// before orders places of which as much is known.
func (p Place) before(q Place) bool { return p.File < q.File || p.File == q.File && p.Line < q.Line }

// below says whether a path is another, or leads on from it.
func (p *paths) below(at, above uint32) bool {
	for ; at > above; at = p.all[at].parent {
	}
	return at == above
}

// from says where a holder is filled, or where what it holds was allocated.
func (h Holder) from() string {
	switch {
	case h.Filled != nil && h.OfTimers():
		return "set at " + h.Filled.String()
	case h.Filled != nil:
		return "filled at " + h.Filled.String()
	case h.Allocated == nil || h.Name == "" && h.Waits != nil && *h.Allocated == h.Waits.Place:
		return ""
	case h.Caller != nil:
		return "allocated at " + h.Allocated.String() + ", called at " + h.Caller.String()
	}
	return "allocated at " + h.Allocated.String()
}
