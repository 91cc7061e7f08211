package holders

import (
	"fmt"

	"github.com/gohone/hone/bench/bed"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.holders/1"

// record is what hone said of one program, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Program string `json:"program,omitempty"`
	// Bytes is the size of a heap whose cost was measured; 0 for one that is judged.
	Bytes int64 `json:"bytes,omitempty"`
	// Skipped is the reason if the program cannot run here. Failed is the error if hone gave no answer.
	Skipped string   `json:"skipped,omitempty"`
	Failed  string   `json:"failed,omitempty"`
	Figures *figures `json:"figures,omitempty"`
	Answer  *answer  `json:"answer,omitempty"`

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
	return r.first().String()
}

// first is the holder that hone names first; without a name if it names none.
func (r record) first() holder {
	if r.Answer == nil || len(r.Answer.Holders) == 0 {
		return holder{}
	}
	return r.Answer.Holders[0]
}

// String is a holder on one line.
func (h holder) String() string {
	if h.Name == "" {
		return "nothing"
	}
	return fmt.Sprintf("%s MB: %s, %s:%d", megabytes(h.Bytes), h.Name, h.File, h.Line)
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f", float64(n)/1e6) }

// key is what a later record replaces an earlier one by.
type key struct {
	program string
	bytes   int64
}

// named is what a record is of, if it is of a program.
func (r record) named() (key, bool) { return key{r.Program, r.Bytes}, r.Program != "" }

// last are the latest records.
func last(records []record) map[key]record { return bed.Last(records, record.named) }

// has says of what there is an answer by hone as it is now.
func has(records []record, current bed.Current) map[key]bool {
	return bed.Done(records, current, record.named, func(r record) bool { return r.Failed == "" })
}
