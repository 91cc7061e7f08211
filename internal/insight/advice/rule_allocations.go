package advice

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/prof"
)

// What is allocated for each call. The cost is the allocator's, that of what the runtime clears and copies, and the
// collector's work in proportion to the bytes.

var mapGrowth = &Rule{
	Name: "map-growth", Title: "maps that grow while they are filled",
	Looks: "time and bytes where the runtime makes maps and their tables, and moves entries to larger ones",
	Change: "Give make the number of entries, so that the map is made once in its size. Where one is filled for each " +
		"call, keep it and clear it; where keys are small numbers, a slice is faster than a map.",
	Before: "m := map[int]*node{}\nfor _, n := range nodes { m[n.id] = n }",
	After:  "m := make(map[int]*node, len(nodes))",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, func(s *stack) int {
			at := s.find(growsMap)
			if at < 0 {
				return -1
			}
			if own := s.own(at); own < len(s.frames) &&
				v.source(s.frames[own].file).makesSized(int(s.frames[own].line)) {
				return -1 // made in its size
			}
			// The user's own statement, or a library's: not what a library does inside on its own account.
			if own := s.own(at); own == len(s.frames) ||
				s.outermost(func(f *frame) bool { return f.origin == prof.Standard && f.pkg != "maps" }, own) > at {
				return -1
			}
			return at
		}, func(u *use) string {
			return fmt.Sprintf("maps are made and grown for each call%s", u.perRequest("allocations"))
		})
	},
}

func growsMap(f *frame) bool {
	if f.origin != prof.Runtime {
		return false
	}
	if f.is("runtime.makemap*", "runtime.hashGrow", "runtime.growWork*", "runtime.evacuate*") {
		return true
	}
	if f.pkg != "internal/runtime/maps" {
		return false
	}
	name := strings.ToLower(f.name[strings.LastIndexByte(f.name, '.')+1:])
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
	Change: "Make the slice or buffer with the capacity that it will have, or keep the one of the last call and cut it " +
		"to [:0]. A string that grows in a loop by + copies all of itself each time: use a strings.Builder with Grow, or a " +
		"byte slice.",
	Before: "var out []T\nfor _, x := range xs { out = append(out, f(x)) }",
	After:  "out := make([]T, 0, len(xs))", Mechanical: true,
	Find: func(v *View, r *Rule) []*found {
		all := v.spendsOn(r, v.growing(), func(u *use) string {
			joined := v.through(u, "runtime.concatstring*") // each is a copy of all before it
			if u.drawn >= fewestDrawn && (!joined && u.perObject() < r.threshold("bytes") ||
				u.what == "io.ReadAll" && u.perObject() < 2*firstRead) {
				return ""
			}
			what := "a slice or buffer"
			switch {
			case joined:
				what = "a string"
			case v.through(u, "io.ReadAll", "os.ReadFile"):
				what = "the buffer of " + short(u.what)
			}
			return fmt.Sprintf("%s grows step by step%s", what, u.perRequest("allocations"))
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
func (v *View) growing() func(*stack) int {
	appends := directly("runtime.growslice*")
	buffers := calls(func(f *frame) bool {
		return f.is("bytes.(*Buffer).grow", "bytes.growSlice", "strings.(*Builder).grow", "bytes.(*Buffer).Grow",
			"slices.Grow*", "bytes.Join", "io.ReadAll") || f.is("runtime.growslice*")
	})
	joins := directly("runtime.concatstring*")
	return func(s *stack) int {
		if at := appends(s); at >= 0 {
			return at
		}
		if at := buffers(s); at >= 0 && at+1 < len(s.frames) && v.plainCall(s, at) {
			return at
		}
		if at := joins(s); at >= 0 {
			own := s.own(at)
			if f := &s.frames[own]; v.source(f.file).inLoop(int(f.line)) || v.source(f.file).accumulates(int(f.line)) ||
				v.addsInLoop(s, own) {
				return at
			}
		}
		return -1
	}
}

// plainCall says whether the user's code calls frame number i by way of packages whose growth it decides itself.
func (v *View) plainCall(s *stack, i int) bool {
	for ; i < len(s.frames); i++ {
		switch f := &s.frames[i]; {
		case f.origin == prof.Own:
			return true
		case f.origin == prof.Runtime, f.pkg == "bytes", f.pkg == "strings", f.pkg == "slices", f.pkg == "io",
			f.pkg == "strconv", f.pkg == "encoding/binary":
		default:
			return false
		}
	}
	return false
}

// through says whether most of a use is by way of a function.
func (v *View) through(u *use, functions ...string) bool {
	sum := 0.0
	for _, i := range u.stacks {
		if v.stacks[i].find(func(f *frame) bool { return f.is(functions...) }) >= 0 {
			sum += v.stacks[i].cost
		}
	}
	return 2*sum > u.cost
}

var stringConversion = &Rule{
	Name: "string-conversion", Title: "conversions between string and []byte",
	Looks: "time and bytes where a line converts strings to bytes or runes, or back: each copies the data",
	Change: "Stay with one of the two. Packages bytes and strings have the same functions; strconv has Append " +
		"functions; io.WriteString and bytes.Buffer take both. A map lookup m[string(b)] and a comparison string(b) == s " +
		"copy nothing.",
	Before: "s := string(data)\nif strings.HasPrefix(s, \"id=\") { w.Write([]byte(s[3:])) }",
	After:  "if rest, ok := bytes.CutPrefix(data, []byte(\"id=\")); ok { w.Write(rest) }",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, directly("runtime.slicebytetostring", "runtime.stringtoslicebyte",
			"runtime.stringtoslicerune", "runtime.slicerunetostring"), func(u *use) string {
			return fmt.Sprintf("strings and bytes are converted into each other%s", u.perRequest("copies"))
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
	Change: "Keep the buffer with the connection or the worker, or in a sync.Pool of pointers to slices. Clearing it " +
		"and the collector's work for it are then gone.",
	Before: "buf := make([]byte, 32<<10)\nn, err := conn.Read(buf)",
	After: "buf := buffers.Get().(*[]byte) // var buffers = sync.Pool{New: func() any { b := make([]byte, 32<<10); " +
		"return &b }}\ndefer buffers.Put(buf)",
	Find: func(v *View, r *Rule) []*found {
		made := either(directly("runtime.makeslice*", "runtime.mallocgc*", "runtime.newobject", "runtime.memclr*"),
			calls(oneOf("bufio.NewReader*", "bufio.NewWriter*", "bufio.NewScanner", "bytes.NewBuffer*",
				"bufio.(*Scanner).Scan", "io.copyBuffer", "io.Copy")))
		copies := underOwn(calls(oneOf("io.copyBuffer")))
		all := v.spendsOn(r, func(s *stack) int {
			if at := copies(s); at >= 0 && s.find(allocates) >= 0 {
				return at
			}
			at := made(s)
			if at < 0 || s.find(allocates) < 0 || !v.plainBuffer(s, at) ||
				s.bytes > 0 && s.bytes < largeObject*s.objects {
				return -1
			}
			i := s.own(at)
			byLibrary := s.outermost(func(f *frame) bool { return f.origin == prof.Standard }, i) >= 0
			if own := &s.frames[i]; !byLibrary && v.source(own.file).makesOther(int(own.line)) || v.kept(s, i) {
				return -1
			}
			return at
		}, func(u *use) string {
			if u.perObject() < r.threshold("bytes") {
				return ""
			}
			by := ""
			if u.what == "io.copyBuffer" {
				by = ", by io.Copy"
			}
			return fmt.Sprintf("a buffer of %s is made for each call%s%s", bytesText(u.perObject()), by,
				u.perRequest("buffers"))
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
func (v *View) plainBuffer(s *stack, i int) bool {
	for ; i < len(s.frames); i++ {
		switch f := &s.frames[i]; {
		case f.origin == prof.Own:
			return true
		case f.origin == prof.Runtime, f.pkg == "bytes", f.pkg == "bufio", f.pkg == "io":
		default:
			return false
		}
	}
	return false
}

func allocates(f *frame) bool {
	return f.is("runtime.mallocgc*", "runtime.makeslice*", "runtime.newobject", "runtime.newarray", "runtime.memclr*")
}

var boxing = &Rule{
	Name: "boxing", Title: "values that escape into interfaces and closures",
	Looks: "allocations where the user's code puts a value into an interface, or makes a function that keeps variables",
	Change: "A value that is put into an interface is copied to the heap. Take a concrete type or a type parameter, or " +
		"pass a pointer to a value that is there already. A closure that keeps variables is allocated each time that it is " +
		"made: make it outside of the loop, or pass what it needs.",
	Before: "func sum(xs []any) int // called with ints: each is boxed",
	After:  "func sum[T ~int](xs []T) T",
	Find: func(v *View, r *Rule) []*found {
		interfaces := directly("runtime.convT*")
		closures := directly("runtime.newobject", "runtime.mallocgc*")
		return v.spendsOn(r, func(s *stack) int {
			if at := interfaces(s); at >= 0 {
				return at
			}
			at := closures(s)
			if at < 0 {
				return -1
			}
			own := &s.frames[s.own(at)]
			if !v.source(own.file).makesClosure(int(own.line)) {
				return -1
			}
			return at
		}, func(u *use) string {
			what := "functions that keep variables are made for each call"
			if v.through(u, "runtime.convT*") {
				what = "values are put into interfaces for each call"
			}
			return what + u.perRequest("allocations")
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
	Change: "Keep the object with the connection or the worker and set it anew, or take it from a sync.Pool; return " +
		"values instead of pointers where the caller needs no sharing. go build -gcflags=-m says why a value escapes.",
	Before: "m := &message{header: h}\nserve(m)",
	After:  "m := messages.Get().(*message)\n*m = message{header: h}\nserve(m)\nmessages.Put(m)",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, unless(v.kept, underOwn(func(s *stack) int { return s.find(allocates) })),
			func(u *use) string {
				if u.drawn < fewestDrawn {
					return "" // the allocator's time, and too few samples of what it allocates
				}
				by := ""
				if o := v.Code.Origin(u.via); o != prof.Runtime && o != prof.Own {
					if u.cost < r.threshold("library") || strings.HasPrefix(u.via, "encoding/") ||
						strings.HasPrefix(u.via, "net/") {
						return ""
					}
					by = " by " + short(u.via)
				}
				return fmt.Sprintf("%s objects of %s on average are allocated for each request%s", digits(u.objects),
					bytesText(u.perObject()), by)
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
	Change: "What is put back must be what New makes, and must be put back on each path. Put a pointer: a slice or " +
		"struct that is put by value is boxed on the heap each time. Objects of a few bytes are cheaper to allocate than " +
		"to pool.",
	Before: "pool.Put(buf[:0]) // a slice header is allocated",
	After:  "*p = buf[:0]\npool.Put(p)",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, func(s *stack) int {
			if at := s.find(func(f *frame) bool { return f.is("sync.(*Pool).Get") }); at >= 0 {
				return at
			}
			at := directly("runtime.convT*")(s)
			if at < 0 {
				return -1
			}
			own := &s.frames[s.own(at)]
			if !v.source(own.file).calls(int(own.line), "Put") {
				return -1
			}
			return at
		}, func(u *use) string {
			if u.objects < r.threshold("new") {
				return ""
			}
			return fmt.Sprintf("a sync.Pool makes or boxes %s objects per request nevertheless", digits(u.objects))
		})
	},
}

var bigCopy = &Rule{
	Name: "big-copy", Title: "large values copied",
	Looks: "time in copies of memory that the user's own lines make by assigning, passing or ranging over values",
	Change: "Range over the index, or over pointers, and pass a pointer to a value of more than some 100 bytes that is " +
		"read only.",
	Before: "for _, row := range rows { total += row.amount }",
	After:  "for i := range rows { total += rows[i].amount }",
	Find: func(v *View, r *Rule) []*found {
		copies := directly("runtime.memmove", "runtime.duffcopy", "runtime.typedmemmove", "runtime.wbMove")
		return v.spendsTogether(r, func(s *stack) int {
			at := copies(s)
			if at < 0 && len(s.frames) > 0 && s.frames[0].origin == prof.Own {
				at = 0 // the compiler copies by instructions of its own
			}
			if at < 0 || s.find(allocates) >= 0 || s.find(func(f *frame) bool {
				return f.is("runtime.growslice*", "runtime.concatstring*", "runtime.slicebytetostring")
			}) >= 0 {
				return -1
			}
			if own := &s.frames[s.own(at)]; v.source(own.file).copiedValue(int(own.line)) == "" {
				return -1
			}
			return at
		}, func(u *use) string {
			return fmt.Sprintf("%s is copied where it is only read",
				v.source(u.place.File).copiedValue(int(u.place.Line)))
		})
	},
}
