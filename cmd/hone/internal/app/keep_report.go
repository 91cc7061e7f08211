package app

import (
	"fmt"
	"io"
	"path"
	"path/filepath"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/internal/view/web"
	"github.com/gohone/hone/prof"
)

func ReportFrom(lib *page.Library, found ledger.Ref) (web.Report, error) {
	if found.Kind == ledger.KindRun {
		return web.RunReport(lib, found.ID)
	}
	return web.ComparisonReport(lib, found.ID)
}

// Library makes pages from a ledger, with the source of the programs where it is here.
func (a *App) Library(l *ledger.Ledger) *page.Library {
	here, err := WorkDir()
	if err != nil {
		here = "."
	}
	own := func(ref ledger.Ref) bool { return a.isOwn(l, ref) }
	return &page.Library{Stored: &stored.Library{Ledger: l, Own: own, Completing: lab.Completing,
		Sources: func(r record.Run) prof.Sources {
			if r.Binary.Module == "" {
				return nil
			}
			return a.sourcesOf(r.Binary, here, a.isOwn(l, RunRef(r.ID)))
		}}}
}

// reports is the directory of reports in a ledger.
const reports = "reports"

// KeepIn writes a report into the ledger at dir, whole or not at all, and returns its path.
func KeepIn(dir, id string, write func(io.Writer) error) (string, error) {
	home, err := storedir.Open(dir)
	if err != nil {
		return "", err
	}
	defer home.Close()
	if _, err := home.Mkdir(reports); err != nil {
		return "", err
	}
	f, temporary, err := home.CreateTemp(reports, ".")
	if err != nil {
		return "", err
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	name := path.Join(reports, id+".html")
	if err == nil {
		err = home.Rename(temporary, name)
	}
	if err != nil {
		_ = home.RemoveAll(temporary) // the first error is the one to report
		return "", err
	}
	return filepath.Join(dir, filepath.FromSlash(name)), nil
}

// ReportOf writes the report of what was just measured with these flags.
func (a *App) ReportOf(f *MeasureFlags, lib *page.Library, id string) {
	if !f.NoReport {
		a.reportAfter(lib, f.Ledger, id, f.JSON || f.Markdown, f.Quiet)
	}
}

// reportAfter writes the report of what was just measured into the ledger at dir, and prints its path as the last line:
// after a text on standard output, else on standard error. A report that cannot be written is a note, since the
// measurement is in the ledger.
func (a *App) reportAfter(lib *page.Library, dir, id string, toStderr, quiet bool) {
	if id == "" {
		return
	}
	found, err := lib.Stored.Ledger.Find(id)
	var file string
	if err == nil {
		var r web.Report
		if r, err = ReportFrom(lib, found); err == nil {
			file, err = KeepIn(dir, found.ID, func(w io.Writer) error { return web.WriteReport(w, r) })
		}
	}
	switch {
	case err != nil:
		fmt.Fprintf(a.Stderr, "note: no report was written: %s\n", printable.Indented(redact.Text(err.Error())))
	case !toStderr:
		fmt.Fprintln(a.Stdout, "report:", file)
	case !quiet:
		fmt.Fprintln(a.Stderr, "report:", file)
	}
}

// ReportIn is reportAfter for a measurement that has closed its ledger.
func (a *App) ReportIn(dir, id string, toStderr, quiet bool) {
	l, err := a.ReadLedger(dir)
	if err != nil {
		return // what was measured could not be stored, and that was said
	}
	defer l.Close()
	a.reportAfter(a.Library(l), dir, id, toStderr, quiet)
}
