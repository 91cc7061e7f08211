package advice

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
)

// What is allocated for each call. The cost is the allocator's, that of what the runtime clears and copies, and the
// collector's work in proportion to the bytes.

var mapGrowth = &Rule{
	Name: "map-growth", Title: "maps that grow while they are filled",
	Looks: "time and bytes where the runtime makes maps and their tables, and moves entries to larger ones",
	Remedy: Remedy{
		Change: "Give make the number of entries, so that the map is made once in its size. Where one is filled for each " +
			"call, keep it and clear it; where keys are small numbers, a slice is faster than a map.",
		Before: "m := map[int]*node{}\nfor _, n := range nodes { m[n.id] = n }",
		After:  "m := make(map[int]*node, len(nodes))",
	},
	Find: func(v *search, r *Rule) []*found {
		return v.spendsOn(r, func(s *facts.Stack) int {
			at := s.Find(growsMap)
			if at < 0 {
				return -1
			}
			if own := s.Own(at); own < len(s.Frames) &&
				v.File(s.Frames[own].File).MakesSized(int(s.Frames[own].Line)) {
				return -1 // made in its size
			}
			// The user's own statement, or a library's: not what a library does inside on its own account.
			if own := s.Own(at); own == len(s.Frames) ||
				s.Outermost(func(f *facts.Frame) bool { return f.Origin == prof.Standard && f.Pkg != "maps" }, own) > at {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			return fmt.Sprintf("maps are made and grown for each call%s", perRequest(u, "allocations"))
		})
	},
}

func growsMap(f *facts.Frame) bool {
	if f.Origin != prof.Runtime {
		return false
	}
	if f.Is("runtime.makemap*", "runtime.hashGrow", "runtime.growWork*", "runtime.evacuate*") {
		return true
	}
	if f.Pkg != "internal/runtime/maps" {
		return false
	}
	name := strings.ToLower(f.Name[strings.LastIndexByte(f.Name, '.')+1:])
	for _, word := range []string{"grow", "rehash", "split", "newtable", "newemptymap", "newmap", "newgroups",
		"newarray"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

var appendGrowth = &Rule{
	Name: "append-growth", Title: "slices, buffers and strings that grow step by step",
	Looks: "time and bytes where append, bytes.Buffer, strings.Builder and + of strings move to larger memory",
	Thresholds: []Threshold{
		{Name: "bytes", Value: 64, Reason: "per allocation, on average; slices of a few elements hardly grow"},
	},
	Remedy: Remedy{
		Change: "Make the slice or buffer with the capacity that it will have, or keep the one of the last call and cut it " +
			"to [:0]. A string that grows in a loop by + copies all of itself each time: use a strings.Builder with Grow, or " +
			"a byte slice.",
		Before: "var out []T\nfor _, x := range xs { out = append(out, f(x)) }",
		After:  "out := make([]T, 0, len(xs))",
	},
	Mechanical: true,
	Find: func(v *search, r *Rule) []*found {
		all := v.spendsOn(r, v.growing(), func(u *facts.Account) string {
			joined := v.through(u, "runtime.concatstring*") // each is a copy of all before it
			if u.Counted() && (!joined && u.PerObject() < r.threshold("bytes") ||
				u.What == "io.ReadAll" && u.PerObject() < 2*firstRead) {
				return ""
			}
			what := "a slice or buffer"
			switch {
			case joined:
				what = "a string"
			case v.through(u, "io.ReadAll", "os.ReadFile"):
				what = "the buffer of " + facts.Short(u.What)
			}
			return fmt.Sprintf("%s grows step by step%s", what, perRequest(u, "allocations"))
		})
		for _, f := range all {
			if !strings.HasPrefix(f.Title, "a string") { // of which each step copies all
				f.Gain *= 1 - lastArray
			}
		}
		return all
	},
}

// firstRead is what io.ReadAll begins with (io/io.go): a body that fits does not grow.
const firstRead = 512

// lastArray is the part of all that a growing slice allocates which its last array is, and which remains with the right
// capacity: a half where each step doubles, a fifth where it adds a quarter (runtime/slice.go, from 256 elements on).
const lastArray = 1.0 / 3

// growing matches append, and joined strings in a loop: one + outside of a loop is an allocation and no growth.
func (v *search) growing() func(*facts.Stack) int {
	appends := directly("runtime.growslice*")
	buffers := calls(func(f *facts.Frame) bool {
		return f.Is("bytes.(*Buffer).grow", "bytes.growSlice", "strings.(*Builder).grow", "bytes.(*Buffer).Grow",
			"slices.Grow*", "bytes.Join", "io.ReadAll") || f.Is("runtime.growslice*")
	})
	joins := directly("runtime.concatstring*")
	return func(s *facts.Stack) int {
		if at := appends(s); at >= 0 {
			return at
		}
		if at := buffers(s); at >= 0 && at+1 < len(s.Frames) && v.plainCall(s, at) {
			return at
		}
		if at := joins(s); at >= 0 {
			own := s.Own(at)
			if f := &s.Frames[own]; v.File(f.File).InLoop(int(f.Line)) || v.File(f.File).Accumulates(int(f.Line)) ||
				v.AddsInLoop(s, own) {
				return at
			}
		}
		return -1
	}
}

// plainCall says whether the user's code calls frame number i by way of packages whose growth it decides itself.
func (v *search) plainCall(s *facts.Stack, i int) bool {
	for ; i < len(s.Frames); i++ {
		switch f := &s.Frames[i]; {
		case f.Origin == prof.Own:
			return true
		case f.Origin == prof.Runtime, f.Pkg == "bytes", f.Pkg == "strings", f.Pkg == "slices", f.Pkg == "io",
			f.Pkg == "strconv", f.Pkg == "encoding/binary":
		default:
			return false
		}
	}
	return false
}

// through says whether most of an account is by way of a function.
func (v *search) through(u *facts.Account, functions ...string) bool {
	sum := 0.0
	for _, i := range u.Stacks {
		if v.Stacks[i].Find(func(f *facts.Frame) bool { return f.Is(functions...) }) >= 0 {
			sum += v.Stacks[i].Cost
		}
	}
	return 2*sum > u.Cost
}

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

// largeObject is from how many bytes on an allocation is a buffer and not an object: the runtime clears it by memclr,
// and a request rarely has a single value as large.
const largeObject = 512

var bufferPerCall = &Rule{
	Name: "buffer-per-call", Title: "buffers made for each call",
	Looks: "allocations of 512 bytes and more on average, by make or by constructors of bufio and bytes",
	Thresholds: []Threshold{
		{Name: "bytes", Value: largeObject, Reason: "below, it is an object: rule object-per-call"},
	},
	Remedy: Remedy{
		Change: "Keep the buffer with the connection or the worker, or in a sync.Pool of pointers to slices. Clearing it " +
			"and the collector's work for it are then gone.",
		Before: "buf := make([]byte, 32<<10)\nn, err := conn.Read(buf)",
		After: "buf := buffers.Get().(*[]byte) // var buffers = sync.Pool{New: func() any { b := make([]byte, 32<<10); " +
			"return &b }}\ndefer buffers.Put(buf)",
	},
	Find: func(v *search, r *Rule) []*found {
		made := either(directly("runtime.makeslice*", "runtime.mallocgc*", "runtime.newobject", "runtime.memclr*"),
			calls(oneOf("bufio.NewReader*", "bufio.NewWriter*", "bufio.NewScanner", "bytes.NewBuffer*",
				"bufio.(*Scanner).Scan", "io.copyBuffer", "io.Copy")))
		copies := underOwn(calls(oneOf("io.copyBuffer")))
		all := v.spendsOn(r, func(s *facts.Stack) int {
			if at := copies(s); at >= 0 && s.Find(facts.Allocates) >= 0 {
				return at
			}
			at := made(s)
			if at < 0 || s.Find(facts.Allocates) < 0 || !v.plainBuffer(s, at) ||
				s.Bytes > 0 && s.Bytes < largeObject*s.Objects {
				return -1
			}
			i := s.Own(at)
			byLibrary := s.Outermost(func(f *facts.Frame) bool { return f.Origin == prof.Standard }, i) >= 0
			if own := &s.Frames[i]; !byLibrary && v.File(own.File).MakesOther(int(own.Line)) || v.Kept(s, i) {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			if u.PerObject() < r.threshold("bytes") {
				return ""
			}
			by := ""
			if u.What == "io.copyBuffer" {
				by = ", by io.Copy"
			}
			return fmt.Sprintf("a buffer of %s is made for each call%s%s", units.Bytes(u.PerObject()), by,
				perRequest(u, "buffers"))
		})
		for _, f := range all {
			if strings.Contains(f.Title, "io.Copy") {
				f.Change = "io.Copy makes a buffer where the source has no WriteTo and the destination no ReadFrom that fits. " +
					"Hand over the *os.File or *net.TCPConn itself and no wrapper of it, so that the kernel copies (sendfile, " +
					"splice), or use io.CopyBuffer with a buffer that is used again."
				f.Before, f.After = "io.Copy(w, wrapped)", "io.Copy(w, file) // *os.File"
			}
		}
		return all
	},
}

// plainBuffer says whether the user's code comes to frame number i directly or through bufio, bytes and io.
func (v *search) plainBuffer(s *facts.Stack, i int) bool {
	for ; i < len(s.Frames); i++ {
		switch f := &s.Frames[i]; {
		case f.Origin == prof.Own:
			return true
		case f.Origin == prof.Runtime, f.Pkg == "bytes", f.Pkg == "bufio", f.Pkg == "io":
		default:
			return false
		}
	}
	return false
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
		return v.spendsOn(r, unless(v.Kept, underOwn(func(s *facts.Stack) int { return s.Find(facts.Allocates) })),
			func(u *facts.Account) string {
				if !u.Counted() {
					return "" // the allocator's time, and too few samples of what it allocates
				}
				by := ""
				if o := v.Code.Origin(u.Via); o != prof.Runtime && o != prof.Own {
					if u.Cost < r.threshold("library") || strings.HasPrefix(u.Via, "encoding/") ||
						strings.HasPrefix(u.Via, "net/") {
						return ""
					}
					by = " by " + facts.Short(u.Via)
				}
				return fmt.Sprintf("%s objects of %s on average are allocated for each request%s", units.Digits(u.Objects),
					units.Bytes(u.PerObject()), by)
			})
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
			if u.Objects < r.threshold("new") {
				return ""
			}
			return fmt.Sprintf("a sync.Pool makes or boxes %s objects per request nevertheless", units.Digits(u.Objects))
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
