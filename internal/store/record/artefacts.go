package record

import (
	"strings"

	"github.com/gohone/hone/internal/store/ledger"
)

// ProfileArtefact is the kind of the artefacts of a run that are profiles.
const ProfileArtefact = "profile"

// ExactAllocsArtefact is the kind of the artefacts of a run that count every allocation of a window.
const ExactAllocsArtefact = "exact-allocs"

// ProfileKind is the kind of the profile in an artefact: cpu.3.pb.gz is a CPU profile.
func ProfileKind(a ledger.Artefact) string {
	kind, _, _ := strings.Cut(strings.TrimSuffix(a.Name, ".pb.gz"), ".")
	return kind
}
