package disturbed

import (
	"fmt"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/insight/facts"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.disturbed/1"

// record is one run, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Task *task `json:"task,omitempty"`
	// Failed is the error of a run without a result.
	Failed   string     `json:"failed,omitempty"`
	Machine  conditions `json:"machine,omitzero"`
	Injected injected   `json:"injected,omitzero"`
	// Said is nil where hone was not asked.
	Said *answer `json:"said,omitempty"`
}

// aside is why a run is put aside; empty if it counts.
func (r record) aside() string {
	if busy := r.Machine.busy(); busy != "" {
		return "busy: " + busy
	}
	if r.Said == nil {
		return ""
	}
	if failure := r.Injected.failure(r.Task.Cause); failure != "" {
		return "not disturbed: " + failure
	}
	return ""
}

// counts says whether a run is judged.
func (r record) counts() bool { return r.Said != nil && r.aside() == "" }

// String is a record as progress shows it.
func (r record) String() string {
	switch {
	case r.Failed != "":
		return "no result"
	case r.Said == nil:
		return "put aside, " + r.aside()
	case r.aside() != "":
		return "put aside, " + r.aside() + "; " + r.Said.String()
	}
	return r.Said.String()
}

// String is what hone says.
func (a *answer) String() string {
	text := fmt.Sprintf("%d requests", a.Requests)
	if a.Untraced {
		text = "no trace"
	}
	for _, c := range a.Causes {
		text += fmt.Sprintf("; %.0f %% %s", 100*c.Share, facts.PartText(c.Label))
	}
	for _, f := range a.Findings {
		text += fmt.Sprintf("\n  %s: %s (%.0f %% of %s)", f.Rule, f.Title, 100*f.Cost, f.Measure)
	}
	return text
}

// named is the key of a record; not ok of a session's.
func (r record) named() (task, bool) {
	if r.Task == nil {
		return task{}, false
	}
	return *r.Task, true
}

// last are the latest records, but one that counts is not replaced by one that does not.
func last(records []record) map[task]record {
	all := bed.Last(records, record.named)
	for _, r := range records {
		if t, ok := r.named(); ok && r.counts() && !all[t].counts() {
			all[t] = r
		}
	}
	return all
}

// has says which runs were taken, and count, by hone as it is now.
func has(records []record, current bed.Current) map[task]bool {
	return bed.Done(records, current, record.named, record.counts)
}
