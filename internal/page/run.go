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
	if lab.SchemaOf(row.Doc) == loadtest.StoredSchema {
		return l.loadTest(row)
	}
	s, err := l.storedRun(row)
	if err != nil {
		return nil, err
	}
	switch schema := lab.SchemaOf(row.Doc); {
	case schema == lab.OnceSchema:
		return l.onceRun(s)
	case schema == lab.CaptureSchema, len(row.Doc) == 0 && row.Status == ledger.Complete: // the latter of an earlier hone
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
	strange   bool             // neither the user's own nor trusted
	// damage are parts that cannot be read any more; the others are shown.
	damage []error
}

func (l *Library) storedRun(row ledger.Run) (s *storedRun, err error) {
	s = &storedRun{row: row, strange: l.strange(row.ID)}
	if s.record, err = lab.RecordOf(row, loadtest.StoredSchema); err != nil {
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
	if s.read(l, lab.TailArtefact, digest, walltime.Schema) {
		s.waits = digest
	}
	if s.read(l, lab.TimelineArtefact, timeline, lab.TimelineSchema) {
		s.runtime = timeline
	}
	return s, nil
}

// read decodes the first artefact of a kind; false if there is none that can be read.
func (s *storedRun) read(l *Library, kind string, into any, schema string) bool {
	for _, a := range s.artefacts {
		if a.Kind != kind {
			continue
		}
		doc, err := l.Ledger.ReadArtefact(a)
		if err == nil {
			err = lab.Decode(doc, into, schema)
		}
		if err != nil {
			s.damage = append(s.damage, err)
		}
		return err == nil
	}
	return false
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
		s.damage = append(s.damage, err)
	}
	r.Latency, r.HeatMap, r.Timeline = s.curve(h), heatMapOf(s.slices, h), timelineOf(s.slices, h, s.runtime)
	s.times(r)
	l.findings(s, r)
	return s.finish(r), nil
}

// finish says what of a run is damaged.
func (s *storedRun) finish(r *Run) *Run {
	sayDamaged(r, s.damage...)
	return r
}

// sayDamaged says which parts of a run could not be read.
func sayDamaged(r *Run, damage ...error) {
	for _, err := range damage {
		r.Check.Notes = append(r.Check.Notes, Statement{Text: "damaged: " + err.Error() + "; hone ledger verify checks the whole ledger", Tone: Bad})
	}
}
