package sql

import (
	"fmt"
	"path/filepath"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/insight/walltime"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.sql/1"

// record is what hone said of a service, or the session that the next ones belong to.
type record struct {
	bed.Entry
	key
	// Failed is the error of a trial without a result, Missing why it was not tried.
	Failed  string      `json:"failed,omitempty"`
	Missing string      `json:"missing,omitempty"`
	Said    []statement `json:"said,omitempty"`
	// Tail are the SQL statements of the requests, those that take most first.
	Tail []walltime.Statement `json:"tail,omitempty"`

	secret bool // of the closed half: progress does not show it
}

// String is a record as progress shows it.
func (r record) String() string {
	switch {
	case r.Failed != "":
		return "no result"
	case r.Missing != "":
		return r.Missing
	case r.secret:
		return "of the closed half"
	}
	text := fmt.Sprintf("%d findings", len(r.Said))
	for _, s := range r.Said {
		text += fmt.Sprintf("\n  %v", s)
	}
	for _, s := range r.Tail[:min(2, len(r.Tail))] {
		text += fmt.Sprintf("\n  tail: %.3g ms, %.3g calls, %s, %s:%d", s.Nanos/1e6, s.Calls, s.Text, filepath.Base(s.File), s.Line)
	}
	return text
}

// named is the trial of a record; not ok of a session's.
func (r record) named() (key, bool) { return r.key, r.Service != "" }

// last are the latest records.
func last(records []record) map[key]record { return bed.Last(records, record.named) }

// has says which trials were measured, and not in vain, by hone as it is now.
func has(records []record, current bed.Current) map[key]bool {
	return bed.Done(records, current, record.named, func(r record) bool { return r.Failed == "" && r.Missing == "" })
}
