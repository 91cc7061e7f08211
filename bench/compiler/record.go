package compiler

import (
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.compiler/1"

// record is what hone said of a pair or of a commit that changes nothing, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Pair string `json:"pair,omitempty"`
	NoOp string `json:"noop,omitempty"`
	// Failed is the error if hone gave no answer.
	Failed string  `json:"failed,omitempty"`
	Answer *answer `json:"answer,omitempty"`

	secret bool // of the closed half: progress does not show it
}

// String is a record as progress shows it.
func (r record) String() string {
	switch {
	case r.Failed != "":
		return "no result"
	case r.secret:
		return "of the closed half"
	}
	return strings.Join(append([]string{r.Answer.Headline}, r.Answer.Why...), "; ")
}

// named is the pair or the commit that a record is of, if it is of one.
func (r record) named() (string, bool) { return r.Pair + r.NoOp, r.Pair+r.NoOp != "" }

// last are the latest records.
func last(records []record) map[string]record { return bed.Last(records, record.named) }

// has says of what there is an answer by hone as it is now.
func has(records []record, current bed.Current) map[string]bool {
	return bed.Done(records, current, record.named, func(r record) bool { return r.Failed == "" })
}
