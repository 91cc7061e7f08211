package compiler

import (
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.compiler/1"

// record is what hone said of a pair or of a commit that changes nothing, or the session that the next ones belong to.
type record struct {
	At      time.Time    `json:"at"`
	Session *bed.Session `json:"session,omitempty"`
	Pair    string       `json:"pair,omitempty"`
	NoOp    string       `json:"noop,omitempty"`
	// Failed is the error if hone gave no answer.
	Failed string  `json:"failed,omitempty"`
	Answer *answer `json:"answer,omitempty"`

	secret bool // of the closed half: progress does not show it
}

// Head implements bed.Record.
func (r record) Head() (time.Time, *bed.Session) { return r.At, r.Session }

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

// name is that of the pair or of the commit; empty for a session.
func (r record) name() string { return r.Pair + r.NoOp }

// last are the latest records.
func last(records []record) map[string]record {
	return bed.Last(records, func(r record) (string, bool) { return r.name(), r.name() != "" })
}
