package record

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/prof"
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

// AddCapture stores the n-th capture of its kind, from 0 on: KIND.pb.gz, KIND.2.pb.gz ...
func AddCapture(d *ledger.Draft, n int, c prof.Capture) error {
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		return err
	}
	name := c.Kind
	if n > 0 {
		name = fmt.Sprintf("%s.%d", c.Kind, n+1)
	}
	_, err := d.AddArtefact(ProfileArtefact, name+".pb.gz", &b)
	return err
}
