package page

import (
	"cmp"
	"time"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/stored"
)

// Run makes the page of the run with this id or unambiguous prefix of it; fail.BadInput if there is none.
func (l *Library) Run(id string) (*Run, error) {
	r, err := l.Stored.Run(id)
	if err != nil {
		return nil, err
	}
	if r.Load != nil {
		return l.loadTest(r)
	}
	s, err := l.storedRun(r)
	if err != nil {
		return nil, err
	}
	switch {
	case r.Once != nil:
		return l.onceRun(s, r.Once), nil
	case r.Captures != nil || r.Kept():
		return l.capturedRun(s, r.Captures), nil
	}
	return l.loadedRun(s), nil
}

// storedRun is a run with what the ledger keeps beside its document.
type storedRun struct {
	row       ledger.Run
	record    record.Run // of other kinds of runs what they have in common with those under load
	slices    []packed.Slice
	artefacts []ledger.Artefact
	waits     *walltime.Digest // nil without
	runtime   *record.Timeline // nil without
	// damage are parts that cannot be read any more; the others are shown.
	damage []error
}

func (l *Library) storedRun(r *stored.Run) (s *storedRun, err error) {
	s = &storedRun{row: r.Row, record: r.Record}
	if s.slices, err = l.Stored.Ledger.Slices(s.row.ID); err != nil {
		return nil, err
	}
	if s.artefacts, err = l.Stored.Ledger.Artefacts(s.row.ID); err != nil {
		return nil, err
	}
	if s.waits, err = l.Stored.Waits(s.row.ID); err != nil {
		s.damage = append(s.damage, err)
	}
	if s.waits == nil {
		s.waits = s.record.Waits
	}
	if s.runtime, err = l.Stored.Timeline(s.row.ID); err != nil {
		s.damage = append(s.damage, err)
	}
	return s, nil
}

// page is what the pages of all runs begin with.
func (s *storedRun) page(kind Kind) *Run {
	r := &Run{
		Head: Head{
			Schema: Schema, Kind: kind, ID: s.row.ID, Title: cmp.Or(runTitle(s.row), s.row.Target, s.row.ID),
			Started: s.row.Started, Status: string(s.row.Status), Version: s.record.Environment.Hone,
		},
		Comparison: s.row.Comparison, Label: s.record.Label, Commit: commitOf(s.record.Head),
		Under: []string{}, Numbers: []model.Row{}, Findings: []model.Finding{},
		Environment: environmentOf(s.record.Head, s.row.Origin),
		Profiles:    s.profiles(), Artefacts: s.files(), Commands: s.commands(kind),
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
func (l *Library) loadedRun(s *storedRun) *Run {
	r := s.page(KindRun)
	shown := model.RunOf(s.record, model.Full, nil)
	if len(s.row.Doc) == 0 { // nothing but the target is known
		shown.Under = model.NonEmpty(s.record.Target)
	}
	found := l.findings(s, r)
	r.show(shown, s.record.Hot, found)
	h, err := histogramsOf(s.slices)
	if err != nil {
		s.damage = append(s.damage, err)
	}
	r.Latency, r.HeatMap, r.Timeline = s.curve(h), heatMapOf(s.slices, h), timelineOf(s.slices, h, s.runtime)
	if s.waits != nil {
		r.Times, r.Causes, r.TimesNote = model.TimesOf(s.waits, found)
		for _, name := range []string{walltime.TypicalName, walltime.SlowName} {
			if c := s.waits.Cohort(name); c != nil {
				r.TimesNote += model.TracedRun(c, s.record.Latency)
			}
		}
	}
	return s.finish(r)
}

// finish says what of a run is damaged.
func (s *storedRun) finish(r *Run) *Run {
	sayDamaged(r, s.damage...)
	return r
}

// sayDamaged says which parts of a run could not be read.
func sayDamaged(r *Run, damage ...error) {
	for _, err := range damage {
		r.Check.Notes = append(r.Check.Notes, model.Statement{Text: "damaged: " + err.Error() +
			"; hone ledger verify checks the whole ledger", Tone: model.Bad})
	}
}
