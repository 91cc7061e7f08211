package lab

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/prof"
)

// ProfileArtefact is the kind of the artefacts of a run that are profiles.
const ProfileArtefact = "profile"

// ProfileKind is the kind of the profile in an artefact: cpu.3.pb.gz is a CPU profile.
func ProfileKind(a ledger.Artefact) string {
	kind, _, _ := strings.Cut(strings.TrimSuffix(a.Name, ".pb.gz"), ".")
	return kind
}

// Captures reads the profiles of these kinds that the ledger keeps of a run (an id or prefix), by kind, those of a kind in
// the order in which they were taken. has are all kinds that the run has.
func Captures(l *ledger.Ledger, run string, kinds ...string) (captures map[string][]prof.Capture, has []string, err error) {
	artefacts, err := l.Artefacts(run)
	if err != nil {
		return nil, nil, err
	}
	captures = map[string][]prof.Capture{}
	for _, a := range artefacts {
		if a.Kind != ProfileArtefact {
			continue
		}
		kind := ProfileKind(a)
		if !slices.Contains(has, kind) {
			has = append(has, kind)
		}
		if !slices.Contains(kinds, kind) {
			continue
		}
		data, err := l.ReadArtefact(a)
		if err != nil {
			return nil, nil, err
		}
		c, err := prof.ReadCapture(bytes.NewReader(data), prof.Limits{})
		if err != nil {
			return nil, nil, fail.New(fail.Storage, "read %v: %w", a, err).WithHint("hone ledger verify")
		}
		c.Kind = kind
		captures[kind] = append(captures[kind], c)
	}
	return captures, has, nil
}
