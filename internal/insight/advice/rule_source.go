package advice

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

// What the profile shows to be hot and only the source shows to be needless.

var quadraticLoop = &Rule{
	Name: "quadratic-loop", Title: "a search for each element",
	Looks: "hot lines in a loop inside of a loop over data, or that search a slice or string for each element of a loop",
	Remedy: Remedy{
		Change: "Put the elements that are searched into a map once, or sort them and use a binary search. The time then " +
			"grows with the number of elements and not with its square.",
		Before: "for _, x := range xs {\n\tif !slices.Contains(seen, x) { seen = append(seen, x) }\n}",
		After: "seen := make(map[T]bool, len(xs))\nfor _, x := range xs {\n" +
			"\tif !seen[x] { seen[x] = true; out = append(out, x) }\n}",
	},
	Find: func(v *search, r *Rule) []*found {
		return v.spendsOn(r, func(s *facts.Stack) int {
			if s.CPU == 0 || s.Kernel() {
				return -1
			}
			return v.searchesEach(s)
		}, func(u *facts.Account) string {
			if what := v.File(u.Place.File).SearchInLoop(int(u.Place.Line)); what != "" {
				return what
			}
			return facts.Short(u.Via) + " searches for each element of a loop"
		})
	},
}

// searchesEach is the user's frame, whose line searches for each element of a loop, of a stack in such a search; -1 if
// there is none.
func (v *search) searchesEach(s *facts.Stack) int {
	own := s.Own(0)
	if own == len(s.Frames) {
		return -1
	}
	for i := 0; i < own; i++ { // searches of the standard library count as the line's own time
		if f := &s.Frames[i]; f.Origin != prof.Runtime && !searches(f) {
			return -1
		}
	}
	// A function literal that package slices calls for each element is part of the line that calls slices, with the
	// functions of the user's that it calls.
	lib := own + 1
	for lib < min(len(s.Frames), own+helpers) && s.Frames[lib].Origin == prof.Own {
		lib++
	}
	if lib < len(s.Frames) && s.Frames[lib].Origin == prof.Standard && searches(&s.Frames[lib]) {
		if own = s.Own(lib); own == len(s.Frames) {
			return -1
		}
	}
	f := &s.Frames[own]
	file := v.File(f.File)
	if file.SearchInLoop(int(f.Line)) != "" {
		return own
	}
	if !file.SearchLoop(int(f.Line)) && file.SearchCall(int(f.Line)) == nil {
		return -1
	}
	// A function of the user's that searches, called in a loop, at once or by a helper.
	for caller := own + 1; caller < min(len(s.Frames), own+helpers) && s.Frames[caller].Origin == prof.Own; caller++ {
		c := &s.Frames[caller]
		inLoop, overData := v.File(c.File).DataLoop(int(c.Line))
		if overData || inLoop && caller == own+1 {
			return caller
		}
	}
	return -1
}

func searches(f *facts.Frame) bool {
	switch f.Pkg {
	case "slices", "strings", "bytes", "internal/bytealg", "internal/stringslite", "cmp":
		return true
	}
	return false
}

var constantHash = &Rule{
	Name: "constant-hash", Title: "a hash of what never changes",
	Looks: "time under the hashes of crypto and hash where the source shows that the argument is a constant",
	Remedy: Remedy{
		Change: "Compute it once, in a package variable.",
		Before: "sum := sha256.Sum256([]byte(banner))",
		After:  "var bannerSum = sha256.Sum256([]byte(banner))",
	},
	Mechanical: true,
	Find: func(v *search, r *Rule) []*found {
		return v.spendsOn(r, calls(hashes), func(u *facts.Account) string {
			v.MarkRunning(u.Place.File)
			what := v.File(u.Place.File).ConstantHashed(int(u.Place.Line))
			if what == "" {
				return ""
			}
			return fmt.Sprintf("%s hashes %s on each call", facts.Short(u.Via), what)
		})
	},
}

var computedAnew = &Rule{
	Name: "computed-anew", Title: "what does not change, computed for each call",
	Looks: "time and bytes under functions of the user's that change nothing, and of which all that they read is seen " +
		"to be set before the load only",
	Remedy: Remedy{
		Change: "Compute it where what it is made of is set, or at the first call (sync.OnceValue), and keep the result.",
		Before: "nets := cfg.Networks() // in each request: parses cfg.Lists",
		After:  "nets: cfg.Networks(), // where the handler is made",
	},
	Find: func(v *search, r *Rule) []*found {
		return v.spendsOn(r, v.ComputesSame, func(u *facts.Account) string {
			return fmt.Sprintf("%s computes the same for each call%s", facts.Short(u.Via), perRequest(u, "allocations"))
		})
	},
}

func hashes(f *facts.Frame) bool {
	return f.Origin != prof.Own && f.Is("crypto/sha1.*", "crypto/sha256.*", "crypto/sha512.*", "crypto/md5.*",
		"crypto/sha3.*", "crypto/hmac.*", "hash/crc32.*", "hash/crc64.*", "hash/fnv.*", "hash/maphash.*",
		"hash/adler32.*", "crypto/internal/fips140/*", "golang.org/x/crypto/*", "github.com/cespare/xxhash*")
}
