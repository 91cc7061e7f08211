package report

import (
	"fmt"
	"io"

	"github.com/gohone/hone/internal/ledger"
)

// Artefacts lists what is stored with a run besides its numbers.
func Artefacts(w io.Writer, all []ledger.Artefact) error {
	for _, a := range all {
		if _, err := fmt.Fprintf(w, "%s: %s  %s  %s\n", a.Kind, a.Name, Bytes(float64(a.Size)), a.Path); err != nil {
			return err
		}
	}
	return nil
}

// Verification writes what ledger.Verify found.
func Verification(w io.Writer, v ledger.Report) error {
	for _, p := range v.Problems {
		if _, err := fmt.Fprintf(w, "damaged: %s\n", p); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d runs, %d files checked, %d damaged, %d files that no run refers to\n",
		v.Runs, v.Blobs, len(v.Problems), len(v.Orphans))
	return err
}
