package page

import (
	"cmp"
	"time"

	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/loadtest"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/internal/walltime"
)

// Run makes the page of the run with this id or unambiguous prefix of it; fail.BadInput if there is none.
func (l *Library) Run(id string) (*Run, error) {
	row, err := l.Ledger.Run(id)
	if err != nil {
		return nil, err
	}
	if schemaOf(row.Doc) == loadtest.StoredSchema {
		return l.loadTest(row)
	}
	s, err := l.storedRun(row)
	if err != nil {
		return nil, err
	}
	switch schemaOf(row.Doc) {
	case lab.OnceSchema:
		return l.onceRun(s)
	case lab.CaptureSchema:
		return l.capturedRun(s)
	}
	return l.loadedRun(s)
}

// storedRun is a run with what the ledger keeps beside its document.
type storedRun struct {
	row       ledger.Run
	record    lab.Record // of other kinds of runs what they have in common with those under load
	slices    []ledger.Slice
	artefacts []ledger.Artefact
	waits     *walltime.Digest // nil without
	runtime   *lab.Timeline    // nil without
}

func (l *Library) storedRun(row ledger.Run) (s *storedRun, err error) {
	s = &storedRun{row: row}
	if s.record, err = recordOf(row); err != nil {
		return nil, err
	}
	if s.slices, err = l.Ledger.Slices(row.ID); err != nil {
		return nil, err
	}
	if s.artefacts, err = l.Ledger.Artefacts(row.ID); err != nil {
		return nil, err
	}
	s.waits, s.runtime = s.record.Waits, nil
	digest, timeline := &walltime.Digest{}, &lab.Timeline{}
	for _, want := range []struct {
		kind, schema string
		has          *string
		into         any
		found        func()
	}{
		{lab.TailArtefact, walltime.Schema, &digest.Schema, digest, func() { s.waits = digest }},
		{lab.TimelineArtefact, lab.TimelineSchema, &timeline.Schema, timeline, func() { s.runtime = timeline }},
	} {
		there, err := l.readArtefact(s.artefacts, want.kind, want.into, want.schema)
		if err != nil {
			return nil, err
		}
		if there {
			want.found()
		}
	}
	return s, nil
}

// readArtefact decodes the first artefact of a kind; false if there is none.
func (l *Library) readArtefact(all []ledger.Artefact, kind string, into any, schema string) (bool, error) {
	for _, a := range all {
		if a.Kind != kind {
			continue
		}
		doc, err := l.Ledger.ReadArtefact(a)
		if err != nil {
			return false, err
		}
		return true, decode(doc, into, schema)
	}
	return false, nil
}

// page is what the pages of all runs begin with.
func (s *storedRun) page(kind Kind) *Run {
	r := &Run{
		Head: Head{
			Schema: Schema, Kind: kind, ID: s.row.ID, Title: cmp.Or(s.row.Label, s.row.Package, s.row.Target, s.row.ID),
			Started: s.row.Started, Status: string(s.row.Status), Version: s.record.Environment.Hone,
		},
		Comparison: s.row.Comparison, Label: s.record.Label, Commit: commitOf(s.record.Head),
		Under: []string{}, Numbers: []Row{}, Findings: []Finding{}, Environment: environmentOf(s.record.Head, s.row.Origin),
		Profiles: s.profiles(), Artefacts: s.files(), Commands: s.commands(kind),
	}
	if s.row.Origin != nil {
		r.Host = s.row.Origin.Host
	}
	if r.Comparison != "" {
		r.Variant = s.row.Variant
	}
	if d := s.record.Elapsed; d > 0 && s.row.Status != ledger.Running {
		r.Elapsed = units.Seconds(d.Round(time.Millisecond))
	}
	return r
}

// loadedRun is the page of a run under load.
func (l *Library) loadedRun(s *storedRun) (*Run, error) {
	r := s.page(KindRun)
	s.numbers(r)
	h, err := histogramsOf(s.slices)
	if err != nil {
		return nil, damagedSlices(s.row.ID, err)
	}
	r.Latency, r.HeatMap, r.Timeline = s.curve(h), heatMapOf(s.slices, h), timelineOf(s.slices, h, s.runtime)
	s.times(r)
	return r, l.findings(s, r)
}
