package decisions

import (
	"regexp"
	"strings"

	"github.com/gohone/hone/prof/symbol"
)

// Flags are what a package is compiled with so that the compiler prints its decisions. They change nothing that it
// decides.
const Flags = "-m=2 -d=ssa/check_bce/debug=1 -d=pgodebug=1"

// Listing is what the compiler decided, by the names of functions as Name writes them.
type Listing map[string]*Function

// Function is what the compiler decided about one declared function, with the closures in it.
type Function struct {
	// Inlinable says that the compiler may inline it, Cost what that costs by the compiler's measure, 0 where it does
	// not say. Limit is the cost that it exceeds, or that a profile (PGO) gave it; 0 is not known.
	Inlinable   bool
	Line        int // where it is declared
	Cost, Limit int
	// Reason is why it is not inlinable, in the compiler's words, where that is not its cost.
	Reason string
	// Inlined are the calls whose functions are inlined into it, Heap the values that it puts on the heap, Checks the
	// bounds that it checks, Direct the calls through interfaces that became direct.
	Inlined, Heap, Checks, Direct []Fact
}

// Fact is one decision: What is the function, the value, the check or the call; By is what a value escapes through, or
// the function that a call became direct to. Hot says that a profile (PGO) is the reason. A value that is Sized escapes
// only if it is large.
type Fact struct {
	What  string
	By    string
	File  string // the base name
	Line  int
	Hot   bool
	Sized bool
}

// Name is a function of a profile without the directories of its package, and without type arguments. That of a closure
// is the declared function that it is in.
func Name(function string) string {
	return closure.ReplaceAllString(symbol.Short(withoutTypes(function)), "")
}

// closure is what the compiler adds to the name of a function for a closure in it.
var closure = regexp.MustCompile(`(\.(func|deferwrap|gowrap)[0-9]+|-range[0-9]+).*$`)

// withoutTypes leaves out type arguments: Map[go.shape.int] -> Map.
func withoutTypes(name string) string {
	depth := 0
	return strings.Map(func(r rune) rune {
		switch {
		case r == '[':
			depth++
		case r == ']' && depth > 0:
			depth--
		case depth == 0:
			return r
		}
		return -1
	}, name)
}
