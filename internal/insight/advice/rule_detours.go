package advice

import (
	"fmt"
	"path"
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
)

// Work that a shorter way to the same result does not need.

var jsonThereAndBack = &Rule{
	Name: "json-there-and-back", Title: "JSON that is encoded only to be decoded again",
	Looks: "time and bytes under encoding/json where the source shows that a function decodes the text that it has " +
		"encoded, and uses it for nothing else; and where a MarshalJSON calls json.Marshal, of whose text encoding/json " +
		"then reads each byte",
	Remedy: Remedy{
		Change: "Copy the fields: a conversion of one struct to another, or a function that clones, needs no text. A type " +
			"with the same fields converts by T(x).",
		Before: "data, err := json.Marshal(in)\njson.Unmarshal(data, &out)",
		After:  "out := Out{ID: in.ID, Name: in.Name, Tags: slices.Clone(in.Tags)}",
	},
	Find: func(v *search, r *Rule) []*found {
		coders := calls(oneOf("encoding/json.*"))
		all := v.spendsOn(r, func(s *facts.Stack) int {
			at := coders(s)
			if at < 0 {
				return -1
			}
			own := s.Own(at)
			if own == len(s.Frames) || !v.File(s.Frames[own].File).JSONThereAndBack(int(s.Frames[own].Line)) {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			return "JSON is encoded only to be decoded again" + perRequest(u, "allocations")
		})
		return append(all, v.encodedAgain(r)...)
	},
}

var bigNumber = &Rule{
	Name: "big-number", Title: "numbers of any size for money",
	Looks: "time and bytes under big.Rat and big.Float in a package that prints them with at most four digits after " +
		"the point, or makes them of hundredths",
	Thresholds: []Threshold{{Name: "cost", Value: 0.10, Reason: "a few such numbers are cheap"}},
	Remedy: Remedy{
		Change: "Amounts with a fixed number of digits after the point are whole numbers: keep cents, or their hundredths, " +
			"in an int64, and round where a rate is applied. A big.Rat allocates for each operation and finds a common " +
			"divisor.",
		Before: "total.Add(total, new(big.Rat).Mul(price, quantity)) // price, total *big.Rat",
		After:  "total += price * quantity // int64, in cents",
	},
	Find: func(v *search, r *Rule) []*found {
		big := calls(oneOf("math/big.(*Rat).*", "math/big.(*Float).*", "math/big.NewRat", "math/big.NewFloat"))
		return v.spendsTogether(r, func(s *facts.Stack) int {
			at := big(s)
			if at < 0 {
				return -1
			}
			if own := s.Own(at); own == len(s.Frames) || v.PackageIn(path.Dir(s.Frames[own].File)).RoundsTo() == 0 {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			return fmt.Sprintf("%s works with numbers of any size, of which %d digits after the point count",
				facts.Short(u.Via), v.PackageIn(path.Dir(u.Place.File)).RoundsTo())
		})
	},
}

var goroutinePerItem = &Rule{
	Name: "goroutine-per-item", Title: "a goroutine for each item",
	Looks: "time in starting and ending goroutines, and in the scheduler for them, for each element of a loop over data",
	Thresholds: []Threshold{
		{Name: "cost", Value: 0.05, Reason: "of the CPU time; what the scheduler spends for it comes on top"},
	},
	Remedy: Remedy{
		Change: "A goroutine costs about as much as a microsecond of work. Let a few of them, as many as there are " +
			"processors, take a part of the data each; do little work in the loop itself.",
		Before: "for _, x := range xs { wg.Go(func() { use(x) }) }",
		After:  "for part := range slices.Chunk(xs, len(xs)/runtime.GOMAXPROCS(0)+1) {\n\twg.Go(func() { useAll(part) })\n}",
	},
	Find: func(v *search, r *Rule) []*found {
		all := v.spendsTogether(r, func(s *facts.Stack) int {
			at := s.Find(func(f *facts.Frame) bool { return f.Is("runtime.newproc*", "runtime.(*p).newproc*") })
			if at < 0 {
				return -1
			}
			for i := at; i < s.Own(at); i++ {
				if f := &s.Frames[i]; f.Origin != prof.Runtime && f.Pkg != "sync" && f.Pkg != "golang.org/x/sync/errgroup" {
					return -1 // a library starts it for reasons of its own
				}
			}
			return v.DataLoop(s, at)
		}, func(*facts.Account) string {
			return "a goroutine is started for each element of a loop"
		})
		ends := v.endsOfGoroutines()
		for _, f := range all {
			if ends > 0 {
				f.Cost, f.Gain = f.Cost+ends, f.Gain+ends
				f.Evidence = append(f.Evidence, Evidence{Source: "cpu",
					Text: units.Share(ends) + " of the CPU time is the scheduler's, which starts and ends goroutines"})
			}
		}
		return all
	},
}

// endsOfGoroutines is the part of the CPU time that the runtime spends on stacks of its own for goroutines that begin
// and end; 0 where that is what a server with connections has anyway.
func (v *search) endsOfGoroutines() (share float64) {
	for i := range v.Stacks {
		s := &v.Stacks[i]
		if s.CPU > 0 && v.claimed[i] == nil && s.Leaf() < 0 && !s.Background() &&
			s.Find(func(f *facts.Frame) bool {
				return strings.HasPrefix(f.Function, "runtime.goexit0") ||
					f.Is("runtime.gdestroy", "runtime.gfput", "runtime.gfget")
			}) >= 0 {
			share += s.CPU
		}
	}
	return share
}
