package tuning

import (
	"errors"

	"github.com/gohone/hone/internal/insight/rewrite"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// Rewritten is what a rewrite of the program's source was found to do.
type Rewritten struct {
	Schema string `json:"schema"`
	// Run is the run whose finding was tried, Rule that of the finding, Place its line.
	Run   string `json:"run,omitempty"`
	Rule  string `json:"rule,omitempty"`
	Place string `json:"place,omitempty"`
	// Does says what the rewrite does, Notes what the user should know of it.
	Does  string   `json:"does"`
	Notes []string `json:"notes,omitempty"`
	// Patch is the change as a unified diff, relative to the root of the module.
	Patch string `json:"patch"`
	// Tested says that the tests of the package pass with the change; NotTested says why there
	// was nothing to show.
	Tested    bool   `json:"tested"`
	NotTested string `json:"not_tested,omitempty"`
	// Comparison is its name in the ledger, empty if it did not come to one.
	Comparison string `json:"comparison,omitempty"`
	// Claim is about Decides: the measure of the finding.
	Claim Claim `json:"claim"`
	// Decides is the verdict on the measure that the finding is about; nil if it was not observed.
	Decides *judge.Verdict `json:"decides,omitempty"`
	// Verdicts are those on all measures.
	Verdicts []judge.Verdict `json:"verdicts,omitempty"`
	// Different says how the answers of the rewritten program differ; then nothing is proven.
	Different string `json:"answers_differ,omitempty"`
	// Caveats are what else changed.
	Caveats []record.Caveat `json:"caveats,omitempty"`
	// Wrote are the files that were written, relative to the root of the module.
	Wrote []string `json:"wrote,omitempty"`
	// Outcome is all that was measured, for reports.
	Outcome *record.Outcome `json:"-"`
}

// Pays says that the whole interval of what was to be improved lies on the better side, with the
// same answers.
func (r *Rewritten) Pays() bool { return r.Claim == Less && r.Different == "" }

// Apply writes a change that pays into the tree.
func (r *Rewritten) Apply(change *rewrite.Change) error {
	if !r.Pays() {
		return errors.New("the change is not written: it does not pay")
	}
	if err := change.Write(); err != nil {
		return err
	}
	for _, f := range change.Files {
		r.Wrote = append(r.Wrote, f.Name)
	}
	return nil
}
