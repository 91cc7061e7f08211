package findings

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/insight/advice"
)

// root is the repository's, from where benchmarks run.
const root = ".."

// job is a part of a trial.
type job struct {
	*trial
	part
}

func (j job) name() string { return j.Rule + "/" + string(j.part) }

// measure carries out the parts of trials that the results lack. A program that fails does not keep the others from being
// measured.
func (c config) measure(ctx context.Context) error {
	version, err := c.Hone.Version(ctx)
	if err != nil {
		return fmt.Errorf("ask hone for its version: %w", err)
	}
	c.Hone.Dir = root
	head := func(at time.Time, s *bed.Session) record { return record{At: at, Session: s} }
	return bed.Measure(ctx, c.Bed, resultsSchema, head, func(j *bed.Journal[record]) error {
		var todo []job
		for _, t := range c.trials {
			for _, p := range c.parts {
				if c.again || !has(j.Records, t, p, version) {
					todo = append(todo, job{t, p})
				}
			}
		}
		return bed.Take(ctx, c.Bed, j, todo, job.name, func(ctx context.Context, one job) ([]record, error) {
			r, err := c.take(ctx, one.trial, one.part)
			if err != nil {
				r.Failed = err.Error()
			}
			return []record{r}, err
		})
	})
}

// take measures one part of a trial.
func (c config) take(ctx context.Context, t *trial, p part) (r record, err error) {
	r = record{At: bed.Now(), Trial: t.Rule, Part: p}
	if p == gain {
		r.Changes, err = c.compare(ctx, t)
		return r, err
	}
	if p == speaks {
		if r.Marks, err = readMarks(filepath.Join(root, t.dir(p))); err != nil {
			return r, err
		}
	}
	r.Said, err = c.advise(ctx, t, p)
	return r, err
}

// advise runs a program and says what hone finds in that run.
func (c config) advise(ctx context.Context, t *trial, p part) (*said, error) {
	var run struct{ ID string }
	done, err := c.Hone.Ask(ctx, &run, []int{honecli.Invalid}, "run --quiet", t.run(p, "-d", c.duration.String())...)
	if err != nil {
		return nil, err
	}
	var d advice.Findings
	if _, err := c.Hone.Ask(ctx, &d, nil, "advise", run.ID); err != nil {
		return nil, err
	}
	if d.Schema != advice.Schema {
		return nil, fmt.Errorf("read what hone advise %s prints: schema %q, want %s", run.ID, d.Schema, advice.Schema)
	}
	if c.record != "" && p != fixed {
		if err := c.save(ctx, run.ID, t, p); err != nil {
			return nil, err
		}
	}
	return &said{done.Code == honecli.Invalid, short(d.Findings), d.Spent, d.Missing}, nil
}

// save keeps what the tests of the rules read of a run.
func (c config) save(ctx context.Context, id string, t *trial, p part) error {
	path, err := filepath.Abs(filepath.Join(c.record, t.Rule, string(p)+".view"))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		_, err = c.Hone.Run(ctx, nil, "advise", "--ledger", c.Hone.Ledger, "--save", path, id)
	}
	return err
}

// compareDocument is what is read of hone compare --json.
type compareDocument struct {
	Comparison struct {
		Contests []struct {
			Verdicts []struct {
				Measure struct {
					Key string `json:"key"`
				} `json:"measure"`
				Verdict string  `json:"verdict"`
				A       float64 `json:"a"`
				B       float64 `json:"b"`
				Ratio   float64 `json:"ratio"`
				Low     float64 `json:"low"`
				High    float64 `json:"high"`
			} `json:"verdicts"`
		} `json:"contests"`
	} `json:"comparison"`
}

// compare measures what the repair changes.
func (c config) compare(ctx context.Context, t *trial) (map[string]change, error) {
	if t.Dead {
		return nil, nil
	}
	var d compareDocument
	args := t.compare("--budget", c.budget.String(), "--no-profile", "--set=no-trace")
	if _, err := c.Hone.Ask(ctx, &d, []int{honecli.Invalid, honecli.Undecided}, "compare --quiet", args...); err != nil {
		return nil, err
	}
	changes := map[string]change{}
	for _, contest := range d.Comparison.Contests {
		for _, v := range contest.Verdicts {
			if slices.Contains(keys, v.Measure.Key) {
				changes[v.Measure.Key] = change{v.A, v.B, v.Ratio, v.Low, v.High, v.Verdict}
			}
		}
	}
	if len(changes) == 0 {
		return nil, errors.New("hone compare printed no verdicts")
	}
	return changes, nil
}

// String is a record as progress shows it.
func (r record) String() string {
	text := ""
	switch {
	case r.Failed != "":
		return "no result"
	case r.Part == gain:
		for _, k := range keys {
			if c, ok := r.Changes[k]; ok {
				text += fmt.Sprintf("%s %v, ", k, c)
			}
		}
		return text
	}
	if r.Said == nil {
		return text
	}
	for i, f := range r.Said.Findings {
		text += fmt.Sprintf("\n  %d. %s %s:%d %s: %.0f %% of %s, gain %.0f %%", i+1, f.Rule, filepath.Base(f.Place.File), f.Place.Line,
			f.Place.Function, 100*f.Cost, f.Measure, 100*f.Gain)
	}
	return text
}
