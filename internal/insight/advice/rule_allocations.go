package advice

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
)

// What is allocated for each call. The cost is the allocator's, that of what the runtime clears and copies, and the
// collector's work in proportion to the bytes.

var stringConversion = &Rule{
	Name: "string-conversion", Title: "conversions between string and []byte",
	Looks: "time and bytes where a line converts strings to bytes or runes, or back: each copies the data",
	Remedy: Remedy{
		Change: "Stay with one of the two. Packages bytes and strings have the same functions; strconv has Append " +
			"functions; io.WriteString and bytes.Buffer take both. A map lookup m[string(b)] and a comparison string(b) == s " +
			"copy nothing.",
		Before: "s := string(data)\nif strings.HasPrefix(s, \"id=\") { w.Write([]byte(s[3:])) }",
		After:  "if rest, ok := bytes.CutPrefix(data, []byte(\"id=\")); ok { w.Write(rest) }",
	},
	Find: func(v *search, r *Rule) []*found {
		return v.spendsOn(r, directly("runtime.slicebytetostring", "runtime.stringtoslicebyte",
			"runtime.stringtoslicerune", "runtime.slicerunetostring"), func(u *facts.Account) string {
			return fmt.Sprintf("strings and bytes are converted into each other%s", perRequest(u, "copies"))
		})
	},
}

var boxing = &Rule{
	Name: "boxing", Title: "values that escape into interfaces and closures",
	Looks: "allocations where the user's code puts a value into an interface, or makes a function that keeps variables",
	Remedy: Remedy{
		Change: "A value that is put into an interface is copied to the heap. Take a concrete type or a type parameter, or " +
			"pass a pointer to a value that is there already. A closure that keeps variables is allocated each time that it " +
			"is made: make it outside of the loop, or pass what it needs.",
		Before: "func sum(xs []any) int // called with ints: each is boxed",
		After:  "func sum[T ~int](xs []T) T",
	},
	Find: func(v *search, r *Rule) []*found {
		interfaces := directly("runtime.convT*")
		closures := directly("runtime.newobject", "runtime.mallocgc*")
		return v.spendsOn(r, func(s *facts.Stack) int {
			if at := interfaces(s); at >= 0 {
				return at
			}
			at := closures(s)
			if at < 0 {
				return -1
			}
			own := &s.Frames[s.Own(at)]
			if !v.File(own.File).MakesClosure(int(own.Line)) {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			what := "functions that keep variables are made for each call"
			if v.through(u, "runtime.convT*") {
				what = "values are put into interfaces for each call"
			}
			return what + perRequest(u, "allocations")
		})
	},
}

var objectPerCall = &Rule{
	Name: "object-per-call", Title: "objects that could be used again",
	Looks: "allocations by the user's own lines: new, composite literals, make and what escapes to the heap, and what " +
		"libraries allocate for them",
	Thresholds: []Threshold{
		{Name: "cost", Value: 0.05, Reason: "a request needs some objects, and some of them are kept"},
		{Name: "library", Value: 0.10,
			Reason: "what a library allocates for a call is often part of what the call is for"},
	},
	Remedy: Remedy{
		Change: "Keep the object with the connection or the worker and set it anew, or take it from a sync.Pool; return " +
			"values instead of pointers where the caller needs no sharing. go build -gcflags=-m says why a value escapes.",
		Before: "m := &message{header: h}\nserve(m)",
		After:  "m := messages.Get().(*message)\n*m = message{header: h}\nserve(m)\nmessages.Put(m)",
	},
	Find: func(v *search, r *Rule) []*found {
		all := v.spendsOn(r, unless(v.Kept, underOwn(func(s *facts.Stack) int { return s.Find(facts.Allocates) })),
			func(u *facts.Account) string {
				if !u.Counted() {
					return "" // the allocator's time, and too few samples of what it allocates
				}
				by := ""
				if o := v.Code.Origin(u.Via); o != prof.Runtime && o != prof.Own {
					if u.Cost < r.threshold("library") || lessWith(u.Via) == "" {
						return ""
					}
					by = " by " + facts.Short(u.Via)
				}
				return fmt.Sprintf("%s objects of %s on average are allocated for each request%s%s",
					units.Digits(u.PerRequest(u.Objects)), units.Bytes(u.PerObject()), u.Whose(), by)
			})
		for _, f := range all {
			if less := lessWith(f.about[1]); less != "" {
				f.Remedy = Remedy{Change: "The library makes a new value each time. " + less + " takes memory of the " +
					"caller's, or hands out its own until the next call."}
			}
		}
		return all
	},
}

var uselessPool = &Rule{
	Name: "useless-pool", Title: "a pool that does not help",
	Looks: "sync.Pool whose New makes an object for most requests, and values that Put has to box",
	Thresholds: []Threshold{
		{Name: "new", Value: 0.3,
			Reason: "a pool that is emptied by each second collection still makes fewer than one object in three requests"},
	},
	Remedy: Remedy{
		Change: "What is put back must be what New makes, and must be put back on each path. Put a pointer: a slice or " +
			"struct that is put by value is boxed on the heap each time. Objects of a few bytes are cheaper to allocate than " +
			"to pool.",
		Before: "pool.Put(buf[:0]) // a slice header is allocated",
		After:  "*p = buf[:0]\npool.Put(p)",
	},
	Find: func(v *search, r *Rule) []*found {
		return v.spendsOn(r, func(s *facts.Stack) int {
			if at := s.Find(func(f *facts.Frame) bool { return f.Is("sync.(*Pool).Get") }); at >= 0 {
				return at
			}
			at := directly("runtime.convT*")(s)
			if at < 0 {
				return -1
			}
			own := &s.Frames[s.Own(at)]
			if !v.File(own.File).Calls(int(own.Line), "Put") {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			if u.PerRequest(u.Objects) < r.threshold("new") {
				return ""
			}
			return fmt.Sprintf("a sync.Pool makes or boxes %s objects per request%s nevertheless",
				units.Digits(u.PerRequest(u.Objects)), u.Whose())
		})
	},
}

var copyForOne = &Rule{
	Name: "copy-for-one", Title: "a map or slice copied to read one element",
	Looks: "time and bytes under maps.Clone and slices.Clone of what outlives the call, where the source shows that " +
		"single elements of the copy are read, and nothing else of it",
	Remedy: Remedy{
		Change: "Read the element where the map or slice is, under its lock, and return that. A copy of all is for callers " +
			"that go over all of it.",
		Before: "role := p.Roles()[user] // Roles returns maps.Clone(p.roles)",
		After:  "p.mu.RLock()\nrole := p.roles[user]\np.mu.RUnlock()",
	},
	Find: func(v *search, r *Rule) []*found {
		clones := calls(oneOf("maps.Clone*", "slices.Clone*"))
		return v.spendsOn(r, func(s *facts.Stack) int {
			at := clones(s)
			if at < 0 {
				return -1
			}
			own := s.Own(at)
			if own == len(s.Frames) || v.File(s.Frames[own].File).CopiedForOne(int(s.Frames[own].Line)) == "" {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			return fmt.Sprintf("all of %s is copied to read one element%s",
				v.File(u.Place.File).CopiedForOne(int(u.Place.Line)), perRequest(u, "allocations"))
		})
	},
}

var bigCopy = &Rule{
	Name: "big-copy", Title: "large values copied",
	Looks: "time in copies of memory that the user's own lines make by assigning, passing or ranging over values",
	Remedy: Remedy{
		Change: "Range over the index, or over pointers, and pass a pointer to a value of more than some 100 bytes that is " +
			"read only.",
		Before: "for _, row := range rows { total += row.amount }",
		After:  "for i := range rows { total += rows[i].amount }",
	},
	Find: func(v *search, r *Rule) []*found {
		copies := directly("runtime.memmove", "runtime.duffcopy", "runtime.typedmemmove", "runtime.wbMove")
		return v.spendsTogether(r, func(s *facts.Stack) int {
			at := copies(s)
			if at < 0 && len(s.Frames) > 0 && s.Frames[0].Origin == prof.Own {
				at = 0 // the compiler copies by instructions of its own
			}
			if at < 0 || s.Find(facts.Allocates) >= 0 || s.Find(func(f *facts.Frame) bool {
				return f.Is("runtime.growslice*", "runtime.concatstring*", "runtime.slicebytetostring")
			}) >= 0 {
				return -1
			}
			if own := &s.Frames[s.Own(at)]; v.File(own.File).CopiedValue(int(own.Line)) == "" {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			return fmt.Sprintf("%s is copied where it is only read",
				v.File(u.Place.File).CopiedValue(int(u.Place.Line)))
		})
	},
}
