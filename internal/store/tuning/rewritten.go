package tuning

import (
	"errors"

	"github.com/gohone/hone/internal/insight/rewrite"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// Rewritten is what a rewrite of the program's source was found to do.
type Rewritten struct {
	Schema string `json:"schema,omitempty"`
	// Run is the run whose finding was tried: its number, its rule, what it says, and its line.
	Run    string `json:"run,omitempty"`
	Number int    `json:"number,omitempty"`
	Rule   string `json:"rule,omitempty"`
	Title  string `json:"title,omitempty"`
	Place  string `json:"place,omitempty"`
	// Refused says why the rewrite was not measured: the code does not fit, or a check failed; empty if it was.
	Refused string `json:"refused,omitempty" printable:"lines"`
	// Does says what the rewrite does, Notes what the user should know of it.
	Does  string   `json:"does"`
	Notes []string `json:"notes,omitempty"`
	// Patch is the change as a unified diff, relative to the root of the module.
	Patch string `json:"patch"`
	// Tested says that the tests of the package pass with the change; NotTested says why there
	// was nothing to show.
	Tested    bool   `json:"tested"`
	NotTested string `json:"not_tested,omitempty"`
	// Compared is how many answers of both programs were compared.
	Compared int `json:"answers_compared,omitempty"`
	// Comparison is its name in the ledger, empty if it did not come to one.
	Comparison string `json:"comparison,omitempty"`
	// Claim is about Decides: the measure of the finding.
	Claim Claim `json:"claim"`
	// Decides is the verdict on the measure that the finding is about; nil if it was not observed.
	Decides *judge.Verdict `json:"decides,omitempty"`
	// Benchmark is the one that Decides is of; empty of a measurement under load.
	Benchmark string `json:"benchmark,omitempty"`
	// Verdicts are those on all measures.
	Verdicts []judge.Verdict `json:"verdicts,omitempty"`
	// Different says how the answers of the rewritten program differ; then nothing is proven.
	Different string `json:"answers_differ,omitempty"`
	// Caveats are what else changed.
	Caveats []record.Caveat `json:"caveats,omitempty"`
	// Commit has the rewrite on a new branch, on top of Parent; Repeat is the command that measures both again.
	Commit string `json:"commit,omitempty"`
	Parent string `json:"parent,omitempty"`
	Repeat string `json:"repeat,omitempty"`
	// Wrote are the files that were written, relative to the root of the module.
	Wrote []string `json:"wrote,omitempty"`
	// Why is the error that Refused has in words.
	Why error `json:"-"`
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
