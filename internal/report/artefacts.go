package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/printable"
	"github.com/gohone/hone/internal/units"
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
	_, err := fmt.Fprintf(w, "%d runs and %d comparisons are there, %d of them with their record; %d files checked, %d damaged parts, %d files that no run refers to\n",
		r.Runs, r.Comparisons, r.Records, r.Blobs, len(r.Faults), len(r.Orphans))
	return err
}

// Salvage writes what ledger.Salvage did.
func Salvage(w io.Writer, s ledger.Salvaged) error {
	s = printable.Document(s)
	var b strings.Builder
	for _, r := range s.Records {
		fmt.Fprintf(&b, "the record of %s %s is written again\n", r.Kind, r.ID)
	}
	if s.Damage == "" {
		fmt.Fprintln(&b, "the database is sound")
		return write(w, &b)
	}
	for _, name := range s.Kept {
		fmt.Fprintf(&b, "kept: %s\n", name)
	}
	for _, r := range s.FromRows {
		fmt.Fprintf(&b, "read from damaged pages, without a record to check it by: %s %s\n", r.Kind, r.ID)
	}
	for _, l := range s.Lost {
		fmt.Fprintf(&b, "lost: %s\n", l)
	}
	fmt.Fprintf(&b, "recovered: %d runs, %d comparisons, %d baselines; lost: %d\n", s.Runs, s.Comparisons, s.Baselines, len(s.Lost))
	return write(w, &b)
}
