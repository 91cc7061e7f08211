package advice

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

var mapGrowth = &Rule{
	Name: "map-growth", Title: "maps that grow while they are filled",
	Looks: "time and bytes where the runtime makes maps and their tables, and moves entries to larger ones",
	Remedy: Remedy{
		Change: "Give make the number of entries, so that the map is made once in its size. Where one is filled for each " +
			"call, keep it and clear it; where keys are small numbers, a slice is faster than a map.",
		Before: "m := map[int]*node{}\nfor _, n := range nodes { m[n.id] = n }",
		After:  "m := make(map[int]*node, len(nodes))",
	},
	Mechanical: true,
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

// growing matches append, and strings to which a loop adds: a + that adds to nothing is an allocation and no growth.
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
			f := &s.Frames[own]
			file, line := v.File(f.File), int(f.Line)
			if file.InLoop(line) && file.Grows(line) || file.Accumulates(line) || v.AddsInLoop(s, own) {
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
