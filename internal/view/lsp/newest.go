package lsp

import (
	"errors"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/stored"
)

// Opener opens the ledger of a workspace for reading; root is its directory. The error wraps ledger.ErrNoLedger where
// there is none.
type Opener func(root string) (*stored.Library, io.Closer, error)

// leastShare is the share of the CPU time from which on a line has its cost above it.
const leastShare = 0.01

// mostRuns is how many of the newest runs are looked at for one with profiles.
const mostRuns = 50

// newest is what is known of the newest complete run with profiles.
type newest struct {
	started time.Time
	source  stored.Checkout
	files   map[string]*file // by the way from the root of the workspace, slash-separated
}

// file is what the run says of a file.
type file struct {
	name     string // as profiles write it
	findings []advice.Finding
	costs    map[int64]string // by line: the title of a code lens
}

// ledgerReader follows the ledger of a workspace.
type ledgerReader struct {
	root string
	open Opener

	library *stored.Library // of the open ledger; nil if it is closed
	closer  io.Closer
	tried   string // the run that was read last
	last    *newest
}

// newestIfChanged returns the newest run if it is another one than at the last look, else nil. Without a ledger there
// is none.
func (r *ledgerReader) newestIfChanged() (*newest, error) {
	run, err := r.newestRun()
	if err != nil {
		r.close() // what is opened anew may be sound
		if errors.Is(err, ledger.ErrNoLedger) {
			return nil, nil
		}
		return nil, err
	}
	if run == "" || run == r.tried {
		return nil, nil
	}
	r.tried = run
	defer r.close() // the library keeps all that it has parsed
	found, err := readRun(r.library, r.root, run)
	if err != nil {
		return nil, err
	}
	r.last = found
	return found, nil
}

// newestRun is the name of the newest complete run with profiles; empty where there is none. The ledger reads its
// directory only after a change, by the modification time.
func (r *ledgerReader) newestRun() (string, error) {
	if r.library == nil {
		library, closer, err := r.open(r.root)
		if err != nil {
			return "", err
		}
		r.library, r.closer = library, closer
	}
	runs, err := r.library.Ledger.Runs(ledger.RunFilter{Status: []ledger.Status{ledger.Complete}, Limit: mostRuns,
		NoDoc: true})
	if err != nil {
		return "", err
	}
	for _, run := range runs {
		if _, has, err := r.library.Captures(run.ID); err == nil && len(has) > 0 {
			return run.ID, nil
		}
	}
	return "", nil
}

func (r *ledgerReader) close() {
	if r.closer != nil {
		_ = r.closer.Close() // it was only read
	}
	r.library, r.closer = nil, nil
}

// readRun finds what a run says of the files of the workspace.
func readRun(l *stored.Library, root, id string) (*newest, error) {
	run, err := l.Run(id)
	if err != nil {
		return nil, err
	}
	view, err := l.View(run.Record)
	if err != nil {
		return nil, err
	}
	found, err := advice.Find(view)
	if err != nil {
		return nil, err
	}
	n := &newest{started: run.Record.Started, source: l.Checkout(run.Record), files: map[string]*file{}}
	for _, one := range printable.Document(found).Findings {
		if f := n.file(root, one.Place.File); f != nil {
			f.findings = append(f.findings, one)
		}
	}
	n.addCosts(root, view)
	return n, nil
}

// file is the entry of a file that a profile names; nil where it is not in the workspace.
func (n *newest) file(root, name string) *file {
	if n.source == nil || name == "" {
		return nil
	}
	way, ok := n.source.Below(root, name)
	if !ok {
		return nil
	}
	if n.files[way] == nil {
		n.files[way] = &file{name: name, costs: map[int64]string{}}
	}
	return n.files[way]
}

// addCosts adds what lines and functions cost in the CPU profile, if there is one. A function takes the place of its
// first line.
func (n *newest) addCosts(root string, v *facts.View) {
	cpu, ok := v.Captures["cpu"]
	if !ok {
		return
	}
	per := "request"
	if v.Numbers.Connections == 0 {
		per = "execution"
	}
	lines, functions := model.SharesOf(cpu, leastShare)
	for i, shares := range []map[string]model.LineCosts{lines, functions} {
		for _, name := range slices.Sorted(maps.Keys(shares)) {
			f := n.file(root, name)
			if f == nil {
				continue
			}
			for line, share := range shares[name] {
				title := units.Share(share) + " of CPU"
				if v.Numbers.CPUNanos > 0 {
					title += ", " + units.Nanos(share*v.Numbers.CPUNanos) + " per " + per
				}
				if i == 1 {
					title += ", with all that the function calls"
				}
				f.costs[line] = title
			}
		}
	}
}

// text reads a file as it is now.
func (n *newest) text(root, way string) (*text, error) {
	var built []byte
	if n.source.Pinned() {
		built, _ = n.source.Source(n.files[way].name) // without it the time of the file tells
	}
	return readText(root, way, built, n.started)
}

// diagnostics are the findings in a file, at their present lines.
func (n *newest) diagnostics(root, way string) []diagnostic {
	all := []diagnostic{}
	t, err := n.text(root, way)
	if err != nil {
		return all // it is gone
	}
	for _, f := range n.files[way].findings {
		at, note, ok := t.place(f.Place.Line)
		if !ok {
			continue
		}
		severity := severityInformation
		if model.Warns(f) {
			severity = severityWarning
		}
		all = append(all, diagnostic{at, severity, f.Rule, "hone", model.FindingMessage(f) + note})
	}
	return all
}

// lenses are the costs of the lines of a file.
func (n *newest) lenses(root, way string) []codeLens {
	all := []codeLens{}
	t, err := n.text(root, way)
	if err != nil {
		return all
	}
	costs := n.files[way].costs
	for _, line := range slices.Sorted(maps.Keys(costs)) {
		if at, note, ok := t.place(line); ok {
			all = append(all, codeLens{at, command{Title: costs[line] + note}})
		}
	}
	return all
}
