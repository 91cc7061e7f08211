package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/units"
)

// Answer is what a variant answered to a sampled request.
type Answer struct {
	// Start numbers the starts of the variant.
	Start int
	// Request is the same for equal requests; What names them for people, empty without a name.
	Request uint64
	What    string
	// Code is the status, 0 without one. Length is that of the content in bytes, Content a hash.
	Code    int
	Length  int64
	Content uint64
	// Fields are the header, a hash of each value by its name.
	Fields map[string]uint64
}

// Answers says whether two variants answer the same requests in the same way.
type Answers struct {
	Same bool `json:"alike"`
	// Compared is how many answers of B were held against A's, to Requests different requests.
	Compared int `json:"compared"`
	Requests int `json:"requests"`
	// Volatile is how many of them have a body that differs between equal requests to A: of
	// those only status and length are compared.
	Volatile int `json:"volatile,omitempty"`
	// Differences are the kinds of difference that there were, the most frequent first.
	Differences []AnswerDifference `json:"differences,omitempty"`
}

// AnswerDifference is one way in which answers of B differ from those of A.
type AnswerDifference struct {
	// Kind is one of the Answers... constants.
	Kind string `json:"kind"`
	// Count is how many of the compared answers differ so, Share their part, 0 to 1.
	Count int     `json:"count"`
	Share float64 `json:"share"`
	// Example is the first one: "GET /items: 512 bytes, now 0".
	Example string `json:"example,omitempty"`
}

// The kinds of difference.
const (
	AnswersStatus  = "status"  // another status
	AnswersEmpty   = "empty"   // no body where A has one
	AnswersShorter = "shorter" // a shorter body
	AnswersLonger  = "longer"
	AnswersContent = "content" // another body of the same length
	AnswersHeader  = "header"  // another header, and all else as A's
	AnswersStill   = "still"   // the same body each time, where A's differ
	AnswersOne     = "one"     // one body for requests that A answers with different ones
)

// answersWords are the kinds as reports print them, behind a share.
var answersWords = map[string]string{
	AnswersStatus: "other status", AnswersEmpty: "empty", AnswersShorter: "shorter", AnswersLonger: "longer",
	AnswersContent: "other content", AnswersHeader: "other header",
}

const (
	// answersStarts is the number of starts of A from which on an answer that never differed
	// counts as fixed: what a process draws at its start differs between two.
	answersStarts = 2
	// answersShare and answersCount are what answers may differ in without a finding: a share
	// and a number. A rare event, such as the change of a minute, is in the answers of one
	// variant alone now and then.
	answersShare, answersCount = 0.005, 2
	// volatileMargin is how far the length of a volatile body may lie outside of those that A's
	// equal requests had, as a share, and volatileBytes in bytes: a counter gets more digits.
	volatileMargin, volatileBytes = 0.1, 8
	// stillLeast is how many equal requests of one start say whether answers change,
	// stillMoving the share of different bodies among A's that is change, stillShare the
	// part of that which B's have at most where they stand still.
	stillLeast, stillMoving, stillShare = 8, 0.5, 0.25
)

// CompareAnswers holds the answers of B against those of A. volatile says that bodies differ by
// nature. An answer to a request that A was asked in one start only is left out, since it does
// not show what differs between starts of A itself.
func CompareAnswers(a, b []Answer, volatile bool) Answers {
	c := answersOf(a, volatile)
	asked := map[uint64]bool{}
	for _, answer := range b {
		e := c[answer.Request]
		if e == nil || len(e.starts) < answersStarts {
			continue
		}
		asked[answer.Request] = true
		e.compare(answer)
	}
	all, found := Answers{Requests: len(asked)}, map[string]*AnswerDifference{}
	for _, answer := range b { // in the order of asking, so that the first example is the first
		e := c[answer.Request]
		if e == nil || e.compared == 0 {
			continue
		}
		all.Compared += e.compared
		if e.volatile {
			all.Volatile += e.compared
		}
		e.compared = 0
		for kind, d := range e.found {
			if found[kind] == nil {
				found[kind] = &AnswerDifference{Kind: kind, Example: d.Example}
			}
			found[kind].Count += d.Count
		}
	}
	differing := 0
	for _, d := range found {
		differing += d.Count
		all.add(*d)
	}
	all.Same = differing < answersCount || float64(differing) < answersShare*float64(all.Compared)
	if still(a, b, c) {
		all.Same = false
		all.add(AnswerDifference{Kind: AnswersStill, Count: all.Volatile})
	}
	if n := oneBody(b, c); n > 0 {
		all.Same = false
		all.add(AnswerDifference{Kind: AnswersOne, Count: n})
	}
	slices.SortFunc(all.Differences, func(x, y AnswerDifference) int {
		return cmp.Or(y.Count-x.Count, strings.Compare(x.Kind, y.Kind))
	})
	return all
}

func (a *Answers) add(d AnswerDifference) {
	d.Share = float64(d.Count) / float64(max(1, a.Compared))
	a.Differences = append(a.Differences, d)
}

// String says what came of it: "same (1,234 compared)", or how B's differ.
func (a Answers) String() string {
	compared := units.Count(uint64(a.Compared)) + " compared"
	switch {
	case a.Compared == 0:
		return "not compared: A answered no request in two starts that B answered too"
	case !a.Same:
		return a.How()
	case a.Volatile == a.Compared:
		compared += "; bodies differ by nature: by status, header and length"
	case a.Volatile > 0:
		compared += fmt.Sprintf("; %s of them, whose bodies differ by nature, by status, header and length", units.Count(uint64(a.Volatile)))
	}
	return "same (" + compared + ")"
}

// How says how B's answers differ: "41 % shorter, 12 % other status". It is empty where they
// are the same.
func (a Answers) How() string {
	if a.Same {
		return ""
	}
	var words []string
	for _, d := range a.Differences {
		switch d.Kind {
		case AnswersStill:
			words = append(words, "always the same, where A's change from request to request")
		case AnswersOne:
			words = append(words, fmt.Sprintf("one body for %s different requests", units.Count(uint64(d.Count))))
		default:
			words = append(words, shareOf(d.Share)+" "+answersWords[d.Kind])
		}
	}
	return strings.Join(words, ", ")
}

// Example is the first example of a difference; empty without one.
func (a Answers) Example() string {
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
