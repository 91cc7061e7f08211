package sql

import (
	"fmt"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.sql/1"

// record is what hone said of a service, or the session that the next ones belong to.
type record struct {
	At      time.Time    `json:"at"`
	Session *bed.Session `json:"session,omitempty"`
	key
	// Failed is the error of a trial without a result, Missing why it was not tried.
	Failed  string      `json:"failed,omitempty"`
	Missing string      `json:"missing,omitempty"`
	Said    []statement `json:"said,omitempty"`

	secret bool // of the closed half: progress does not show it
}

// Head implements bed.Record.
func (r record) Head() (time.Time, *bed.Session) { return r.At, r.Session }

// String is a record as progress shows it.
func (r record) String() string {
	switch {
	case r.Failed != "":
		return "no result"
	case r.Missing != "":
		return r.Missing
	case r.secret:
		return "of the closed half"
	case len(r.Said) == 0:
		return "nothing is said"
	}
	text := ""
	for _, s := range r.Said {
		text += fmt.Sprintf("\n  %v", s)
	}
	return text
}

// last are the latest records.
func last(records []record) map[key]record {
	all := map[key]record{}
	for _, r := range records {
		if r.Service != "" {
			all[r.key] = r
		}
	}
	return all
}

// has says which trials were measured, and not in vain, by a version of hone.
func has(records []record, version string) map[key]bool {
	by, all := "", map[key]bool{}
	for _, r := range records {
		if r.Session != nil {
			by = r.Session.Hone
		} else if by == version {
			all[r.key] = r.Failed == "" && r.Missing == ""
		}
	}
	return all
}
