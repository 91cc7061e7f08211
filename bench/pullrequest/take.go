package pullrequest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/honecli"
	outcome "github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// measurement is one session at work.
type measurement struct {
	config
	journal *bed.Journal[record]
}

// take makes one request and asks hone. A calibration that it needs is a record of its own.
func (m measurement) take(ctx context.Context, r request) (records []record, err error) {
	dir, err := os.MkdirTemp(m.Dir, "pullrequest-")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	trees, err := m.clones.CheckOut(ctx, r.Commit, dir)
	if err != nil {
		return nil, err
	}
	one := record{Repo: r.Repo, Commit: r.Commit.Commit, Kind: r.Kind, Planted: r.planted}
	base := r.Base()
	if r.planted > 0 {
		s := corpus.SlopeInForce(m.journal.Records, func(o record) *corpus.Slope { return o.slopeOf(one) }, time.Now())
		if s == nil {
			if s, err = r.Calibrate(ctx, m.clones, m.Hone); err != nil {
				return nil, err
			}
			records = append(records, record{Repo: one.Repo, Commit: one.Commit, Slope: s})
		}
		if one.Iterations, err = s.For(r.planted); err != nil {
			return records, err
		}
		base = r.Commit.Commit
		err = corpus.SubjectOf(r.Repo).Plant(ctx, trees[1], one.Iterations)
	} else if made, ok := onTop[r.Kind]; ok {
		base = r.Commit.Commit
		err = made(ctx, trees[1], corpus.SubjectOf(r.Repo))
	}
	if err != nil {
		return records, err
	}
	one.Said, err = m.ask(ctx, trees[1], base, dir)
	if err != nil {
		return records, err
	}
	return append(records, one), nil
}

// ask has hone compare all benchmarks of a tree with its base, as the job of a pull request does.
func (m measurement) ask(ctx context.Context, tree, base, dir string) (*answer, error) {
	hone := m.Hone
	hone.Dir, hone.Ledger = tree, filepath.Join(dir, "ledger")
	args := []string{"./...", "--vs", base, "--gate", gate}
	if m.budget > 0 {
		args = append(args, "--budget", m.budget.String())
	}
	began := time.Now()
	var text json.RawMessage
	done, err := hone.Ask(ctx, &text, []int{honecli.Regression, honecli.Undecided}, "bench --quiet --no-report", args...)
	if err != nil {
		return nil, err
	}
	a := &answer{Exit: done.Code, Seconds: time.Since(began).Seconds()}
	return a, a.read(text)
}

// read takes what hone prints.
func (a *answer) read(text []byte) error {
	var d benchmarks.Result
	if err := json.Unmarshal(text, &d); err != nil {
		return fmt.Errorf("read what hone bench prints: %w in %.200q", err, text)
	}
	var why struct{ Unchanged []struct{ Reason string } }
	if err := json.Unmarshal(text, &why); err != nil {
		return fmt.Errorf("read what hone bench prints: %w in %.200q", err, text)
	}
	for _, u := range why.Unchanged {
		if honecli.Unmeasured(u.Reason) == honecli.SameCode {
			a.SameCode++
		} else {
			a.NotExecuted++
		}
	}
	a.Measured, a.Benchmarks = d.Elapsed.Seconds(), len(d.Benchmarks)
	n := d.GateCount()
	a.Passed, a.Failed, a.Open = n[outcome.Passed], n[outcome.Failed], n[outcome.Open]
	for name, gates := range d.Gates {
		for _, g := range gates {
			if g.Outcome == outcome.Failed {
				a.FailedOf = append(a.FailedOf, name)
			}
		}
	}
	packages, single := d.FailureCount()
	a.Faults = packages + single
	return nil
}
