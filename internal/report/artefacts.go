package report

import (
	"fmt"
	"io"

	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/units"
)

// Artefact writes one line on a file that is stored with a run at path.
func Artefact(w io.Writer, a ledger.Artefact, path string) error {
	_, err := fmt.Fprintf(w, "%s: %s  %s  %s\n", a.Kind, a.Name, units.Bytes(float64(a.Size)), path)
	return err
}

// Verification writes what ledger.Verify found.
func Verification(w io.Writer, r ledger.Report) error {
	for _, f := range r.Faults {
		if _, err := fmt.Fprintf(w, "damaged: %s\n", f); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d runs, %d comparisons, %d files checked, %d damaged, %d files that no run refers to\n",
		r.Runs, r.Comparisons, r.Blobs, len(r.Faults), len(r.Orphans))
	return err
}
