package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

var needlessSort = &Rule{
	Name: "needless-sort", Title: "sorting what did not change, more than is used, or by reflection",
	Looks: "time under package sort and slices' sorts: of what outlives the call, of what only the first elements are " +
		"used of, and by way of interfaces",
	Remedy: Remedy{
		Change: "Sort when an element is added, or keep the sorted copy until the data changes. Where each call has data " +
			"of its own, slices.SortFunc compares and swaps without interfaces and reflection.",
		Before: "sort.Slice(s.items, func(i, j int) bool { return s.items[i].rank < s.items[j].rank }) // on each request",
		After: "i, _ := slices.BinarySearchFunc(s.items, it, byRank)\n" +
			"s.items = slices.Insert(s.items, i, it) // when one is added",
	},
	Find: func(v *search, r *Rule) []*found {
		var all []*found
		for _, f := range v.spendsOn(r, v.sorting, func(u *facts.Account) string { return facts.Short(u.Via) }) {
			v.MarkRunning(f.Place.File)
			kept := v.File(f.Place.File).SortsKept(int(f.Place.Line))
			switch {
			case kept != "":
				f.Title = fmt.Sprintf("%s sorts %s for each call, which outlives it", f.Title, kept)
			case v.File(f.Place.File).SortsForFirst(int(f.Place.Line)) != "":
				f.Title = fmt.Sprintf("%s sorts all of %s, of which the first elements are used", f.Title,
					v.File(f.Place.File).SortsForFirst(int(f.Place.Line)))
				f.Change = "Keep only the best while going over the elements: a heap of as many as are wanted takes a step for " +
					"each element and hardly ever more. Or keep them sorted where they change."
				f.Before, f.After = "slices.SortFunc(all, better)\nreturn all[:n]",
					"for _, x := range all { best.offer(x) } // container/heap, n elements\nreturn best.sorted()"
			case strings.HasPrefix(f.Via, "sort."):
				f.Title = f.Title + " compares and swaps by way of interfaces for each call"
				f.Gain = v.ShareOf(v.only(f.stacks, func(fr *facts.Frame) bool {
					return fr.Pkg == "internal/reflectlite" || fr.Pkg == "reflect" || fr.Pkg == "sort"
				}))
			default:
				continue // data of its own, sorted as fast as can be
			}
			all = append(all, f)
		}
		return all
	},
}

// sorts takes the frames of sorts.
func sorts(f *facts.Frame) bool {
	return f.Origin != prof.Own && f.Is("sort.*", "slices.Sort*", "slices.pdq*", "slices.stable*")
}

// sorting matches what a sort costs. What a library does for the user's function that compares, such as parsing a date
// for each comparison, is a cost of that line, unless the whole sort is needless.
func (v *search) sorting(s *facts.Stack) int {
	at := calls(sorts)(s)
	if at < 0 {
		return -1
	}
	if less := s.Own(0); less > 0 && less < at && s.Frames[less-1].Origin != prof.Runtime {
		own := s.Own(at)
		if own == len(s.Frames) || v.File(s.Frames[own].File).SortsKept(int(s.Frames[own].Line)) == "" {
			return -1
		}
	}
	return at
}

// compares says whether a sort calls the line of an account, to compare two elements.
func (v *search) compares(u *facts.Account) bool {
	return slices.ContainsFunc(u.Stacks, func(i int) bool {
		s := &v.Stacks[i]
		own := slices.IndexFunc(s.Frames, func(f facts.Frame) bool { return f.File == u.Place.File && f.Line == u.Place.Line })
		return own >= 0 && own+1 < len(s.Frames) && (s.Frames[own+1].Pkg == "slices" || s.Frames[own+1].Pkg == "sort")
	})
}

// only keeps the stacks whose innermost frames, as far as the first of the user's, have one that match takes before any
// other that is not of the runtime.
func (v *search) only(stacks []int, match func(*facts.Frame) bool) (kept []int) {
	for _, i := range stacks {
		if at := v.Stacks[i].Leaf(); at >= 0 && match(&v.Stacks[i].Frames[at]) {
			kept = append(kept, i)
		}
	}
	return kept
}
