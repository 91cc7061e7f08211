package answers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/units"
)

// Answer is what a variant answered to a sampled request.
type Answer struct {
	// Start numbers the starts of the variant.
	Start int
	// Request is the same for equal requests; What names them for people, empty without a name.
	Request uint64
	What    string
	// Count is how many answers were like this one; 0 counts as 1.
	Count int
	// Code is the status, 0 without one. Length is that of the content in bytes, unpacked; Content is a hash of it in
	// canonical form, Raw one of it as it came. Body is the content itself, nil where it is not known.
	Code         int
	Length       int64
	Content, Raw uint64
	Body         *Body
	// Cut says that only the front of the content was compared, since it is too long.
	Cut bool
	// Packed is the content coding, empty without one, Wire the length of the content as it came.
	Packed string
	Wire   int64
	// Opaque says that Content is packed, in a coding that hone cannot undo.
	Opaque bool
	// Fields are the header, a hash of each value by its name.
	Fields map[string]uint64
}

// Agreement says whether two variants answer the same requests in the same way.
type Agreement struct {
	Same bool `json:"alike"`
	// Compared is how many answers of B were held against A's, to Requests different requests.
	Compared int `json:"compared"`
	Requests int `json:"requests"`
	// Differing is how many of them differ from A's in some way.
	Differing int `json:"differing"`
	// Volatile is how many of them have a body that differs between equal requests to A: of
	// those what differs in A's is left out. Left is the part of their bytes that is, 0 to 1.
	Volatile int     `json:"volatile,omitempty"`
	Left     float64 `json:"left_out,omitempty"`
	// Cut is how many were compared by the front of their content and its length.
	Cut int `json:"cut,omitempty"`
	// Opaque is how many were not compared by content, since they are packed otherwise than A's in a way that
	// hone cannot undo.
	Opaque int `json:"opaque,omitempty"`
	// Unpacked is how many are the same only when they are unpacked, or where packed otherwise, Reordered how many as
	// JSON, whose keys are in another order or which has other white space. WireChange is the change of their bytes as
	// they come, -0.1 for 10 % less.
	Unpacked   int     `json:"unpacked,omitempty"`
	Reordered  int     `json:"reordered,omitempty"`
	WireChange float64 `json:"wire_change,omitempty"`
	// Differences are the kinds of difference that there were, the most frequent first.
	Differences []Difference `json:"differences,omitempty"`
}

// Difference is one way in which answers of B differ from those of A.
type Difference struct {
	// Kind is one of those below.
	Kind string `json:"kind"`
	// Count is how many of the compared answers differ so, Share their part, 0 to 1.
	Count int     `json:"count"`
	Share float64 `json:"share"`
	// Example is the first one: "GET /items: 512 bytes, now 0".
	Example string `json:"example,omitempty"`
}

// The kinds of difference.
const (
	Status  = "status"  // another status
	Empty   = "empty"   // no body where A has one
	Shorter = "shorter" // a shorter body
	Longer  = "longer"
	Content = "content" // another body of the same length
	Header  = "header"  // another header, and all else as A's
	Still   = "still"   // the same body each time, where A's differ
	One     = "one"     // one body for requests that A answers with different ones
)

// kindWords are the kinds as reports print them, behind a share.
var kindWords = map[string]string{
	Status: "other status", Empty: "empty", Shorter: "shorter", Longer: "longer",
	Content: "other content", Header: "other header",
}

const (
	// fewestStarts is the number of starts of A from which on an answer that never differed
	// counts as fixed: what a process draws at its start differs between two.
	fewestStarts = 2
	// differShare and differCount are what answers may differ in without a finding: a share
	// and a number. A rare event, such as the change of a minute, is in the answers of one
	// variant alone now and then.
	differShare, differCount = 0.005, 2
	// differChance is how likely a smaller share may be by chance, if A and B have it equally often, to be a finding.
	differChance = 0.001
	// volatileMargin is how far the length of a volatile body may lie outside of those that A's
	// equal requests had, as a share, and volatileBytes in bytes: a counter gets more digits.
	volatileMargin, volatileBytes = 0.1, 8
	// stillLeast is how many equal requests of one start say whether answers change,
	// stillMoving the share of different bodies among A's that is change, stillShare the
	// part of that which B's have at most where they stand still.
	stillLeast, stillMoving, stillShare = 8, 0.5, 0.25
)

// Compare holds the answers of B against those of A. volatile says that bodies differ by
// nature. An answer to a request that A was asked in one start only is left out, since it does
// not show what differs between starts of A itself.
func Compare(a, b []Answer, volatile bool) Agreement {
	c := answersOf(a, volatile)
	asked, counted := map[uint64]bool{}, map[string]*Difference{}
	all, of := Agreement{}, tally{starts: map[int]bool{}}
	for _, answer := range b {
		e := c[answer.Request]
		if e == nil || len(e.starts) < fewestStarts {
			continue
		}
		if !asked[answer.Request] {
			asked[answer.Request] = true
			of.ofA += e.n
			of.masked(e)
		}
		kind, text := e.compare(answer)
		all.count(e, answer, kind)
		of.add(e, answer, kind)
		if kind == "" {
			continue
		}
		if counted[kind] == nil { // in the order of asking, so that the first example is the first
			counted[kind] = &Difference{Kind: kind, Example: named(answer, text)}
		}
		counted[kind].Count += answer.count()
	}
	all.Requests = len(asked)
	for _, d := range counted {
		all.add(*d)
	}
	all.Left, all.WireChange = of.leftOut(), of.wireChange()
	all.Same = !of.differs(all.Compared)
	if still(a, b, c) {
		all.Same = false
		all.add(Difference{Kind: Still, Count: all.Volatile})
	}
	if n := oneBody(b, c); n > 0 {
		all.Same = false
		all.add(Difference{Kind: One, Count: n})
	}
	slices.SortFunc(all.Differences, func(x, y Difference) int {
		return cmp.Or(y.Count-x.Count, strings.Compare(x.Kind, y.Kind))
	})
	return all
}

// count counts an answer of B by how it was compared.
func (a *Agreement) count(e *expected, b Answer, kind string) {
	n := b.count()
	a.Compared += n
	if e.volatile {
		a.Volatile += n
	}
	if b.Cut {
		a.Cut += n
	}
	switch {
	case kind != "":
		a.Differing += n
	case e.opaque(b):
		a.Opaque += n
	case e.otherwisePacked(b):
		a.Unpacked += n
	case e.reordered(b):
		a.Reordered += n
	}
}

// count is how many answers a stands for.
func (a Answer) count() int { return max(1, a.Count) }

func named(a Answer, text string) string {
	if a.What == "" {
		return text
	}
	return a.What + ": " + text
}

func (a *Agreement) add(d Difference) {
	d.Share = float64(d.Count) / float64(max(1, a.Compared))
	a.Differences = append(a.Differences, d)
}

// String says what came of it: "same (1,234 compared, 0 differ)", or how B's differ.
func (a Agreement) String() string {
	switch {
	case a.Compared == 0:
		return "not compared: this takes a request that A answers in two starts and B in one; there was none"
	case !a.Same:
		return a.How()
	}
	notes := []string{a.Counts()}
	if a.Differing > 0 && a.Example() != "" {
		notes[0] += " (" + a.Example() + ")"
	}
	return a.same() + " (" + strings.Join(append(notes, a.notes()...), "; ") + ")"
}

// Counts says how many were compared and how many differ.
func (a Agreement) Counts() string {
	return fmt.Sprintf("%s compared, %s differ", units.Count(uint64(a.Compared)), units.Count(uint64(a.Differing)))
}

// same is how the answers are the same.
func (a Agreement) same() string {
	if a.Unpacked == 0 {
		return "same"
	}
	more := "more"
	if a.WireChange < 0 {
		more = "fewer"
	}
	return fmt.Sprintf("same when unpacked, %s %s bytes on the wire", shareOf(math.Abs(a.WireChange)), more)
}

// notes say what was not compared byte by byte.
func (a Agreement) notes() (notes []string) {
	which := ""
	if a.Volatile < a.Compared {
		which = units.Count(uint64(a.Volatile)) + " of them, whose "
	}
	switch {
	case a.Volatile == 0:
	case a.Left == 1:
		notes = append(notes, which+"bodies differ by nature: by status, header and length")
	default:
		notes = append(notes, which+"bodies differ in A's own answers: without the "+shareOf(a.Left)+" of them that do")
	}
	if a.Reordered > 0 {
		notes = append(notes, "the same JSON, written otherwise")
	}
	if a.Cut > 0 {
		notes = append(notes, units.Count(uint64(a.Cut))+" of them, which are very long, by front and length")
	}
	if a.Opaque > 0 {
		notes = append(notes, units.Count(uint64(a.Opaque))+" of them, which hone cannot unpack, by status and header")
	}
	return notes
}

// How says how B's answers differ: "41 % shorter, 12 % other status". It is empty where they
// are the same.
func (a Agreement) How() string {
	if a.Same {
		return ""
	}
	var words []string
	for _, d := range a.Differences {
		switch d.Kind {
		case Still:
			words = append(words, "always the same, where A's change from request to request")
		case One:
			words = append(words, fmt.Sprintf("one body for %s different requests", units.Count(uint64(d.Count))))
		default:
			words = append(words, shareOf(d.Share)+" "+kindWords[d.Kind])
		}
	}
	return strings.Join(words, ", ")
}

// Example is the first example of a difference; empty without one.
func (a Agreement) Example() string {
	for _, d := range a.Differences {
		if d.Example != "" {
			return d.Example
		}
	}
	return ""
}

// shareOf writes a share so that a small one is not 0.
func shareOf(share float64) string {
	if share < 0.01 {
		return fmt.Sprintf("%.1g %%", 100*share)
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}
