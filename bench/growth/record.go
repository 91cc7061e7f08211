package growth

import (
	"fmt"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.growth/1"

// record is what hone said in one trial, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Kind  string `json:"kind,omitempty"`
	Trial trial  `json:"trial,omitempty"`
	// Failed is the error of a trial without a result.
	Failed   string    `json:"failed,omitempty"`
	Compared *compared `json:"compared,omitempty"`
	Ran      *ran      `json:"ran,omitempty"`

	secret bool // of the closed half: progress does not show it
}

// String is a record as progress shows it.
func (r record) String() string {
	switch {
	case r.Failed != "":
		return "no result"
	case r.secret:
		return "of the closed half"
	case r.Compared != nil:
		return fmt.Sprintf("%s: %s", seconds(r.Compared.Blocks), r.Compared.Sentence)
	}
	return r.Ran.String()
}

// String is what a run says that grows.
func (r *ran) String() string {
	if r.Growth == nil {
		return "nothing grows"
	}
	return fmt.Sprintf("grows %.3g B, %.3g goroutines per request", r.Growth.HeapBytes, r.Growth.Goroutines)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// key is what a later record replaces an earlier one by.
type key struct {
	kind  string
	trial trial
}

// named is the key of a record; not ok of a session's.
func (r record) named() (key, bool) { return key{r.Kind, r.Trial}, r.Kind != "" }

// last are the latest records.
func last(records []record) map[key]record { return bed.Last(records, record.named) }

// has says which trials were measured, and not in vain, by hone as it is now.
func has(records []record, current bed.Current) map[key]bool {
	return bed.Done(records, current, record.named, func(r record) bool { return r.Failed == "" })
}
