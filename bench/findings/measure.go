package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/advice"
)

// root is the repository's, from where benchmarks run.
const root = ".."

// measure carries out the parts of trials that the results lack, until the time is over or Ctrl-C. What
// was kept by then is kept: being interrupted is no error.
func measure(ctx context.Context, c config) error {
	return side.WithHone(c.hone, func(hone honecli.Hone, _ string) (err error) {
		hone.Dir = root
		s := &session{config: c, hone: hone, progress: os.Stderr, until: time.Now().Add(c.length)}
		if s.version, err = hone.Version(ctx); err != nil {
			return fmt.Errorf("ask hone for its version: %w", err)
		}
		if s.journal, err = results.Open[record](c.results, resultsSchema, c.resume); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.journal.Close()) }()
		return s.run(ctx)
	})
}

// session is one measurement at work.
type session struct {
	config
	hone     honecli.Hone
	version  string
	journal  *results.Journal[record]
	progress io.Writer
	until    time.Time
	begun    bool // the journal has the head of this session
}

// run carries out each trial. A program that fails does not keep the others from being measured.
func (s *session) run(ctx context.Context) (err error) {
	for _, t := range s.trials {
		for _, p := range s.parts {
			if !s.again && has(s.journal.Records, t, p, s.version) {
				continue
			}
			if ctx.Err() != nil || s.length > 0 && time.Now().After(s.until) {
				return err
			}
			r, failed := s.take(ctx, t, p)
			if ctx.Err() != nil {
				return err
			}
			if failed != nil {
				r.Failed = failed.Error()
				err = errors.Join(err, fmt.Errorf("%s/%s: %w", t.Rule, p, failed))
			}
			if failed := s.keep(r); failed != nil {
				return errors.Join(err, failed)
			}
		}
	}
	return err
}

// take measures one part of a trial.
func (s *session) take(ctx context.Context, t *trial, p part) (r record, err error) {
	r = record{At: results.Now(), Trial: t.Rule, Part: p}
	if p == gain {
		r.Changes, err = s.compare(ctx, t)
		return r, err
	}
	if p == speaks {
		if r.Marks, err = readMarks(filepath.Join(root, t.dir(p))); err != nil {
			return r, err
		}
	}
	r.Said, err = s.advise(ctx, t, p)
	return r, err
}

// advise runs a program and says what hone finds in that run.
func (s *session) advise(ctx context.Context, t *trial, p part) (*said, error) {
	var run struct{ ID string }
	done, err := s.hone.Ask(ctx, &run, []int{honecli.Invalid}, "run --quiet", t.run(p, "-d", s.duration.String())...)
	if err != nil {
		return nil, err
	}
	var d advice.Findings
	if _, err := s.hone.Ask(ctx, &d, nil, "advise", run.ID); err != nil {
		return nil, err
	}
	if d.Schema != advice.Schema {
		return nil, fmt.Errorf("read what hone advise %s prints: schema %q, want %s", run.ID, d.Schema, advice.Schema)
	}
	if s.record != "" && p != fixed {
		if err := s.save(ctx, run.ID, t, p); err != nil {
			return nil, err
		}
	}
	return &said{done.Code == honecli.Invalid, short(d.Findings), d.Spent, d.Missing}, nil
}

// save keeps what the tests of the rules read of a run.
func (s *session) save(ctx context.Context, id string, t *trial, p part) error {
	path, err := filepath.Abs(filepath.Join(s.record, t.Rule, string(p)+".view"))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		_, err = s.hone.Run(ctx, nil, "advise", "--ledger", s.hone.Ledger, "--save", path, id)
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
func (s *session) compare(ctx context.Context, t *trial) (map[string]change, error) {
	if t.Dead {
		return nil, nil
	}
	var d compareDocument
	args := t.compare("--budget", s.budget.String(), "--no-profile", "--no-trace")
	if _, err := s.hone.Ask(ctx, &d, []int{honecli.Invalid, honecli.Undecided}, "compare --quiet", args...); err != nil {
		return nil, err
	}
	changes := map[string]change{}
	for _, c := range d.Comparison.Contests {
		for _, v := range c.Verdicts {
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

// keep shows a record, and adds it to the results.
func (s *session) keep(r record) error {
	fmt.Fprintln(s.progress, line(r))
	if !s.begun {
		head := results.NewSession(resultsSchema, s.version, s.command)
		if err := s.journal.Add(record{At: results.Now(), Session: head}); err != nil {
			return err
		}
		s.begun = true
	}
	return s.journal.Add(r)
}

// line is a record as progress shows it.
func line(r record) string {
	text := fmt.Sprintf("%s/%s: ", r.Trial, r.Part)
	switch {
	case r.Failed != "":
		return text + "no result; the reason stands at the end"
	case r.Part == gain:
		for _, k := range keys {
			if c, ok := r.Changes[k]; ok {
				text += fmt.Sprintf("%s %v, ", k, c)
			}
		}
		return text
	}
	for i, f := range r.Said.Findings {
		text += fmt.Sprintf("\n  %d. %s %s:%d %s: %.0f %% of %s, gain %.0f %%", i+1, f.Rule, filepath.Base(f.Place.File), f.Place.Line,
			f.Place.Function, 100*f.Cost, f.Measure, 100*f.Gain)
	}
	return text
}
