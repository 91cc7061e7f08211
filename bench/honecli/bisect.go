package honecli

import (
	"context"
	"fmt"
	"time"

	"github.com/gohone/hone/judge"
)

// Bisection is what is read of hone bisect --json.
type Bisection struct {
	Schema  string
	Stopped string
	// Quiet is how many commits change nothing that is built.
	Quiet int
	Whole *struct{ Verdict *judge.Verdict }
	// Steps are the commits that were found, the largest step first.
	Steps []struct {
		// Commits are all that it may be, the oldest first.
		Commits []struct{ Hash string }
		Verdict *judge.Verdict
	}
	Probes []struct {
		Skipped string
		Took    time.Duration `json:"took_ns"`
	}
	Elapsed time.Duration `json:"elapsed_ns"`
}

// Bisect runs hone bisect. A search that does not find the commit is an answer, too.
func (h Hone) Bisect(ctx context.Context, args ...string) (b Bisection, err error) {
	if _, err := h.Ask(ctx, &b, []int{Undecided}, "bisect --quiet --no-report", args...); err != nil {
		return b, err
	}
	if b.Schema != "hone.bisect/1" {
		err = fmt.Errorf("schema %q, want hone.bisect/1: build hone and this program from the same source", b.Schema)
	}
	return b, err
}
