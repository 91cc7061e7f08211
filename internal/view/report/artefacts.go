package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// Artefact writes one line on a file that is stored with a run at path.
func Artefact(w io.Writer, a ledger.Artefact, path string) error {
	a, path = printable.Document(a), printable.Document(path)
	_, err := fmt.Fprintf(w, "%s: %s  %s  %s\n", a.Kind, a.Name, units.Bytes(float64(a.Size)), path)
	return err
}

// Verification writes what ledger.Verify found.
func Verification(w io.Writer, r ledger.Report) error {
	r = printable.Document(r)
	for _, f := range r.Faults {
		if _, err := fmt.Fprintf(w, "damaged: %s\n", f); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w,
		"%d runs and %d comparisons are whole; %d files of artefacts checked, %d damaged parts, %d files that no run "+
			"refers to\n",
		r.Runs, r.Comparisons, r.Blobs, len(r.Faults), len(r.Orphans))
	return err
}

// Repair writes what ledger.Repair did.
func Repair(w io.Writer, d ledger.Repaired) error {
	d = printable.Document(d)
	var b strings.Builder
	if len(d.Faults) == 0 {
		fmt.Fprintln(&b, "the ledger is sound")
	}
	for _, f := range d.Faults {
		fmt.Fprintf(&b, "damaged: %s\n", f)
	}
	for _, path := range d.Kept {
		fmt.Fprintf(&b, "moved aside: %s\n", path)
	}
	for _, id := range d.Changed {
		fmt.Fprintf(&b, "without what was damaged: run %s\n", id)
	}
	for _, id := range d.Lost {
		fmt.Fprintf(&b, "lost: %s\n", id)
	}
	return write(w, &b)
}
