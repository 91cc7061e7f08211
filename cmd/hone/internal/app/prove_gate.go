package app

import (
	"github.com/gohone/hone/internal/program/plant"
	"github.com/gohone/hone/internal/text/fail"
)

// ExitOfProof is the exit code of a comparison whose B was made slower, to prove that its gates can fail: that of a
// regression, if one failed.
func ExitOfProof(planted plant.Planted, failed bool) error {
	if failed {
		return fail.New(fail.Regression, "the gate can fail, and failed: %s was planted", planted).
			WithHint("a job that is green now hides the exit code of hone: look for || true, a pipe or continue-on-error")
	}
	return fail.New(fail.Undecided, "not proven: no gate failed, though %s was planted", planted).
		WithHint("give it more time with --budget, or raise the limit: this machine does not show such a change")
}
