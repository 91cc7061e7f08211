package stored

import (
	"errors"
	"fmt"

	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/text/fail"
)

// A document may be a stranger's. What every writer takes for granted of it is checked here, once.

// checked is err, or else what is wrong with a document.
func checked(err, wrong error) error {
	if err != nil || wrong == nil {
		return err
	}
	return fail.New(fail.Storage, "read stored document: %w",
		wrong).WithHint("hone did not write it like this: hone history --json says where it was measured")
}

// mostVariants is how many letters there are for them.
const mostVariants = 26

// wrong says what no comparison that hone has made is like.
func (c *Comparison) wrong() error {
	switch {
	case c.Record != nil:
		for _, one := range c.Record.Contests {
			if min(one.A, one.B) < 0 || max(one.A, one.B) >= mostVariants {
				return fmt.Errorf("a contest is of the variants %d and %d", one.A, one.B)
			}
		}
	case c.Bisect != nil:
		withTarget(c.Bisect)
	case c.Bench.Instructions != nil:
		for _, one := range c.Bench.Benchmarks {
			if one.Instructions == nil {
				return fmt.Errorf("benchmark %.80q has no count of instructions", one.Name)
			}
		}
	}
	return nil
}

// withTarget gives a search that has found something a target: a document may lack it.
func withTarget(r *commitsearch.Result) {
	if r.Target == nil && (len(r.Steps) > 0 || r.Whole != nil && len(r.Whole.Others) > 0) {
		r.Target = &commitsearch.Target{}
	}
}

// wrong says what no run that hone has made is like.
func (r *Run) wrong() error {
	if h := r.Record.Holders; h != nil && h.Report == nil {
		return errors.New("it has no report of who holds memory")
	}
	return nil
}
