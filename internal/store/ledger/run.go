package ledger

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Run is the record of one variant under one plan.
type Run struct {
	ID string `json:"id"`
	// Comparison is the id of the comparison it is part of, Variant its letter there;
	// empty for a run by itself.
	Comparison string `json:"comparison,omitempty"`
	Variant    string `json:"variant,omitempty"`
	Status     Status `json:"status"`
	// Reason says in words why Status is not complete.
	Reason string `json:"reason,omitempty"`
	// Started and Finished are UTC. Finished is zero while running and after a crash.
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished,omitzero"`
	Label    string    `json:"label,omitempty"`
	Package  string    `json:"package,omitempty"`
	Commit   string    `json:"commit,omitempty"`
	// Dirty says that the source had changes that Commit does not hold.
	Dirty   bool   `json:"dirty,omitempty"`
	BuildID string `json:"build_id,omitempty"`
	Target  string `json:"target,omitempty"`
	// Plan and Machine are keys: runs in which one of them differs are not comparable.
	Plan    string `json:"plan,omitempty"`
	Machine string `json:"machine,omitempty"`
	// Origin says where it was measured; nil for this ledger.
	Origin *Origin `json:"origin,omitempty"`
	// Doc is the caller's own document, with a schema version of its own.
	Doc json.RawMessage `json:"doc,omitempty"`
}

// RunFilter narrows a list of runs; the zero value lists all.
type RunFilter struct {
	// ID is a whole id.
	ID string

	Comparison, Label, BuildID, Target, Plan, Machine string
	// Package is an import path or its last elements: "cmd/server" is any package
	// that ends so.
	Package string
	// Commit is a commit or the start of it.
	Commit string
	// Status keeps runs in one of these states.
	Status []Status
	// Since and Until keep runs started in [Since, Until); zero means no bound.
	Since, Until time.Time
	// Limit keeps the newest so many; 0 means no limit.
	Limit int
	// NoDoc leaves Doc empty, which makes long lists fast.
	NoDoc bool
}

// IsZero says that the filter lets every run pass.
func (f RunFilter) IsZero() bool {
	if len(f.Status) > 0 {
		return false
	}
	f.Status, f.Limit, f.NoDoc = nil, 0, false
	return reflect.ValueOf(f).IsZero()
}

// lets says whether a run passes.
func (f *RunFilter) lets(r *Record) bool {
	run := r.Run
	for _, c := range [...]struct{ want, is string }{
		{f.ID, run.ID}, {f.Comparison, run.Comparison}, {f.Label, run.Label}, {f.BuildID, run.BuildID},
		{f.Target, run.Target},
		{f.Plan, run.Plan}, {f.Machine, run.Machine},
	} {
		if c.want != "" && c.want != c.is {
			return false
		}
	}
	return (f.Package == "" || strings.HasSuffix("/"+run.Package, "/"+f.Package)) &&
		strings.HasPrefix(run.Commit, f.Commit) &&
		(f.Since.IsZero() || !run.Started.Before(f.Since)) &&
		(f.Until.IsZero() || run.Started.Before(f.Until)) &&
		(len(f.Status) == 0 || slices.Contains(f.Status, r.Status()))
}

// passing are the runs that the filter lets pass, the newest first.
func (l *Ledger) passing(f RunFilter) ([]*Record, error) {
	all, err := l.list(KindRun)
	var passed []*Record
	for _, r := range all {
		if f.Limit > 0 && len(passed) == f.Limit {
			break
		}
		if f.lets(r) {
			passed = append(passed, r)
		}
	}
	return passed, err
}

// Runs lists runs, the newest first in the order of their beginning. With documents it reads the
// record of each; one that is damaged is left out, and Damage names it.
func (l *Ledger) Runs(f RunFilter) ([]Run, error) {
	all, err := l.passing(f)
	if err != nil {
		return nil, err
	}
	var runs []Run
	for _, r := range all {
		run := r.shown()
		if !f.NoDoc {
			if run.Doc, err = l.document(r.Ref()); err != nil {
				continue
			}
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// document reads the document of ref, nil if it has none. A fault is remembered for Damage.
func (l *Ledger) document(ref Ref) (json.RawMessage, error) {
	r, err := readRecord(l.home, ref.ID)
	if err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.known.faults[ref.ID] = err
		return nil, l.unread(ref, err)
	}
	if r.Doc == "" {
		return nil, nil
	}
	return json.RawMessage(r.Doc), nil
}

// shown is the run as readers see it, without its document.
func (r *Record) shown() Run {
	run := *r.Run
	run.Status, run.Reason = r.seen()
	return run
}

// Run returns the run with this id or unambiguous prefix of it; fail.BadInput if
// there is none.
func (l *Ledger) Run(idOrPrefix string) (Run, error) {
	ref, err := l.resolve(idOrPrefix, KindRun)
	if err != nil {
		return Run{}, err
	}
	r, err := l.entry(ref)
	if err != nil {
		return Run{}, err
	}
	run := r.shown()
	run.Doc, err = l.document(ref)
	return run, err
}
