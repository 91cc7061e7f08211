package page

import (
	"bytes"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/prof"
)

// captures reads the profiles of one kind of a run, and adds them up. A run without is fail.BadInput.
func (l *Library) captures(run, kind string) (prof.Capture, error) {
	all, err := l.pieces(run, kind)
	if err != nil {
		return prof.Capture{}, err
	}
	if len(all) == 0 {
		return prof.Capture{}, fail.New(fail.BadInput, "run %s has no %s profile", run, kind).WithHint("hone show %s lists what it has", run)
	}
	c, err := prof.MergeCaptures(all)
	if err != nil {
		return c, fail.New(fail.BadInput, "run %s: %w", run, err)
	}
	return c, nil
}

// pieces reads the profiles of one kind of a run, in the order in which they were taken.
func (l *Library) pieces(run, kind string) ([]prof.Capture, error) {
	artefacts, err := l.Ledger.Artefacts(run)
	if err != nil {
		return nil, err
	}
	var all []prof.Capture
	for _, a := range artefacts {
		if a.Kind != profileArtefact || profileKind(a) != kind {
			continue
		}
		data, err := l.Ledger.ReadArtefact(a)
		if err != nil {
			return nil, err
		}
		c, err := prof.ReadCapture(bytes.NewReader(data), prof.Limits{})
		if err != nil {
			return nil, fail.New(fail.Storage, "read %v: %w", a, err).WithHint("hone ledger verify")
		}
		c.Kind = kind
		all = append(all, c)
	}
	return all, nil
}

// profileArtefact is the kind of the artefacts that are profiles.
const profileArtefact = "profile"

// profileKind is the kind of the profile in an artefact: cpu.3.pb.gz is a CPU profile.
func profileKind(a ledger.Artefact) string {
	kind, _, _ := strings.Cut(strings.TrimSuffix(a.Name, ".pb.gz"), ".")
	return kind
}
