package account

import (
	"fmt"

	"github.com/gohone/hone/bench/bed"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.account/1"

// record is what hone said of one program, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Program string `json:"program,omitempty"`
	// Skipped is the reason if the program cannot run here. Failed is the error if hone gave no answer.
	Skipped string  `json:"skipped,omitempty"`
	Failed  string  `json:"failed,omitempty"`
	Truth   *truth  `json:"truth,omitempty"`
	Answer  *answer `json:"answer,omitempty"`

	secret bool // of the closed half: progress does not show it
}

// String is a record as progress shows it.
func (r record) String() string {
	switch {
	case r.Skipped != "":
		return "SKIPPED: " + r.Skipped
	case r.Failed != "":
		return "no result"
	case r.secret:
		return "of the closed half"
	}
	return fmt.Sprintf("%d parts, %s of %s MB", len(r.Answer.Parts), megabytes(r.Answer.RSS), megabytes(r.Truth.Before))
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f", float64(n)/1e6) }

// named is the program that a record is of, if it is of one.
func (r record) named() (string, bool) { return r.Program, r.Program != "" }

// last are the latest records of programs.
func last(records []record) map[string]record { return bed.Last(records, record.named) }

// has says which programs have an answer by hone as it is now.
func has(records []record, current bed.Current) map[string]bool {
	return bed.Done(records, current, record.named, func(r record) bool { return r.Failed == "" })
}
