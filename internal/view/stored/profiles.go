package stored

import (
	"bytes"
	"slices"
	"time"

	"github.com/gohone/hone/internal/insight/spans"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
)

// Captures reads the profiles of these kinds that the ledger keeps of a run (an id or prefix), by kind, those of a kind
// in the order in which they were taken. has are all kinds that the run has. The captures must not be changed.
func (l *Library) Captures(run string, kinds ...string) (captures map[string][]prof.Capture, has []string, err error) {
	artefacts, err := l.Ledger.Artefacts(run)
	if err != nil {
		return nil, nil, err
	}
	captures = map[string][]prof.Capture{}
	for _, a := range artefacts {
		if a.Kind != record.ProfileArtefact {
			continue
		}
		kind := record.ProfileKind(a)
		if !slices.Contains(has, kind) {
			has = append(has, kind)
		}
		if !slices.Contains(kinds, kind) {
			continue
		}
		c, err := l.capture(a)
		if err != nil {
			return nil, nil, err
		}
		c.Kind = kind
		captures[kind] = append(captures[kind], c)
	}
	return captures, has, l.scaleToRun(run, captures["cpu"])
}

// scaleToRun scales the clock of CPU profiles, so that all of them together say what the run says of the CPU time of
// a request. The profiles were taken after the timed load, when the machine may have been slower or faster. They
// divide up the figure of the run, and what they scatter by stays. Where the probe did not see all of the program
// they are left alone.
func (l *Library) scaleToRun(run string, cpu []prof.Capture) error {
	if len(cpu) == 0 {
		return nil
	}
	r, err := l.Run(run)
	if err != nil {
		return err
	}
	if r.Record.CPUNanos == nil || r.Record.Runtime == nil {
		return nil
	}
	all, err := prof.MergeCaptures(cpu)
	if err != nil || all.Clock <= 0 {
		return err
	}
	total, err := all.Total(prof.CostOptions{SampleType: "cpu", Module: r.Record.Binary.Module})
	if err != nil || total.PerRequest <= 0 {
		return nil //nolint:nilerr // it has no samples of the program
	}
	by := r.Record.CPUNanos.Value * all.Requests() / (total.PerRequest * float64(all.Operations))
	for i := range cpu {
		cpu[i].Clock = time.Duration(by * float64(cpu[i].Clock))
	}
	return nil
}

// capture parses a profile, unless it has done so before.
func (l *Library) capture(a ledger.Artefact) (prof.Capture, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c, known := l.captures[a.SHA256]; known {
		return c, nil
	}
	data, err := l.Ledger.ReadArtefact(a)
	if err != nil {
		return prof.Capture{}, err
	}
	c, err := prof.ReadCapture(bytes.NewReader(data), prof.Limits{})
	if err != nil {
		return c, fail.New(fail.Storage, "read %v: %w", a, err).WithHint("hone ledger verify")
	}
	if l.captures == nil {
		l.captures = map[string]prof.Capture{}
	}
	l.captures[a.SHA256] = c
	return c, nil
}

// Waits is where the wall time of a run's requests went; nil where no trace was read.
func (l *Library) Waits(run string) (*walltime.Digest, error) {
	return artefactOf[walltime.Digest](l, run, record.TailArtefact, walltime.Schema)
}

// Spans is where the time of a run's requests went by the spans of its program; nil where none were taken.
func (l *Library) Spans(run string) (*spans.Digest, error) {
	return artefactOf[spans.Digest](l, run, record.SpansArtefact, spans.Schema)
}

// Timeline is what the Go runtime of a run's program did; nil where it was not read.
func (l *Library) Timeline(run string) (*record.Timeline, error) {
	return artefactOf[record.Timeline](l, run, record.TimelineArtefact, record.TimelineSchema)
}

// artefactOf decodes the first artefact of a kind; nil where there is none.
func artefactOf[T any](l *Library, run, kind, schema string) (*T, error) {
	artefacts, err := l.Ledger.Artefacts(run)
	if err != nil {
		return nil, err
	}
	for _, a := range artefacts {
		if a.Kind != kind {
			continue
		}
		doc, err := l.Ledger.ReadArtefact(a)
		if err != nil {
			return nil, err
		}
		d := new(T)
		if err := decode(doc, d, schema); err != nil {
			return nil, err
		}
		return d, nil
	}
	return nil, nil
}
