package main

import (
	"fmt"

	"github.com/gohone/hone/internal/conduct/watch"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/panels"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

// keptSize is that of the picture of a watch that was kept.
const keptWidth, keptHeight = 100, 36

// showKept writes what a run has that hone did not measure: profiles of a service or of
// files, and what a watch saw.
func (a *commands) showKept(l *ledger.Ledger, r *stored.Run, artefacts []ledger.Artefact) error {
	if _, err := fmt.Fprintf(a.Stdout, "%s  (run %s, kept %s; hone put no load on it)\n", printable.Line(r.Row.Label),
		r.Row.ID, r.Row.Started.UTC().Format("2006-01-02 15:04:05 MST")); err != nil {
		return err
	}
	if r.Captures != nil {
		if err := report.Captures(a.Stdout, *r.Captures); err != nil {
			return err
		}
	}
	for _, artefact := range artefacts {
		if artefact.Kind != watch.Artefact {
			continue
		}
		text, err := l.ReadArtefact(artefact)
		if err != nil {
			return err
		}
		d, err := watch.ReadDocument(text)
		if err != nil {
			return err
		}
		if err := d.Picture(a.Stdout, panels.Size{Width: keptWidth, Height: keptHeight}, panels.Theme{}); err != nil {
			return err
		}
	}
	return nil
}
