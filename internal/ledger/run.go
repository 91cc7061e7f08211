package ledger

import (
	"database/sql"
	"encoding/json"
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
	where, _ := f.where()
	return where == ""
}

// Runs lists runs, the newest first in the order of their beginning.
func (l *Ledger) Runs(f RunFilter) ([]Run, error) {
	doc := "doc"
	if f.NoDoc {
		doc = "NULL"
	}
	runs, err := filtered(l.db, f, doc+" FROM runs", nil, scanOneRun, func(r Run) Status { return r.Status })
	return runs, storage(l.dir, err, "list runs")
}

// filtered lists what scan makes of the runs that the filter lets pass, the newest first. more
// is the query behind runColumns, up to its tables, args are its arguments.
func filtered[T any](q querier, f RunFilter, more string, args []any, scan func(*sql.Rows) (T, error), status func(T) Status) ([]T, error) {
	where, wanted := f.where()
	query, args := "SELECT "+runColumns+", "+more+where+" ORDER BY seq DESC", append(args, wanted...)
	if f.Limit > 0 && !f.asksForRunning() {
		query, args = query+" LIMIT ?", append(args, f.Limit)
	}
	rows, err := q.Query(query, args...)
	all, err := collect(rows, err, scan)
	if f.asksForRunning() {
		all = slices.DeleteFunc(all, func(one T) bool { return !slices.Contains(f.Status, status(one)) })
		if f.Limit > 0 {
			all = all[:min(f.Limit, len(all))]
		}
	}
	return all, err
}

// asksForRunning says that the filter needs more than the rows: which runs are
// running and which have crashed depends on who is alive.
func (f RunFilter) asksForRunning() bool {
	return slices.Contains(f.Status, Running) || slices.Contains(f.Status, Crashed)
}

// Run returns the run with this id or unambiguous prefix of it; fail.BadInput if
// there is none.
func (l *Ledger) Run(idOrPrefix string) (Run, error) {
	return named(l, idOrPrefix, KindRun, "run", runOf)
}

func runOf(q querier, id string) (Run, error) {
	rows, err := q.Query("SELECT "+runColumns+", doc FROM runs WHERE id = ?", id)
	all, err := collect(rows, err, scanOneRun)
	return only(all, err, id)
}

// runColumns and the document follow the order of scanRun.
const runColumns = `id, comparison, variant, status, reason, started, finished,
	label, package, commit_id, dirty, build_id, target, plan, machine, pid, born, origin`

// scanRun reads the columns of a run, and the further ones into more.
func scanRun(rows *sql.Rows, more ...any) (Run, error) {
	var (
		r                 Run
		comparison        sql.NullString
		started, finished sql.NullInt64
		writer            process
		origin            string
		doc               []byte
	)
	columns := []any{&r.ID, &comparison, &r.Variant, &r.Status, &r.Reason, &started, &finished,
		&r.Label, &r.Package, &r.Commit, &r.Dirty, &r.BuildID, &r.Target, &r.Plan, &r.Machine, &writer.pid, &writer.born, &origin, &doc}
	if err := rows.Scan(append(columns, more...)...); err != nil {
		return Run{}, err
	}
	r.Comparison, r.Doc = comparison.String, doc
	r.Started, r.Finished = timeOf(started), timeOf(finished)
	r.Status, r.Reason = seen(r.Status, r.Reason, writer)
	var err error
	r.Origin, err = parseOrigin(origin)
	return r, err
}

func scanOneRun(rows *sql.Rows) (Run, error) { return scanRun(rows) }

func (f RunFilter) where() (string, []any) {
	var terms []string
	var args []any
	add := func(term string, arg any) {
		terms = append(terms, term)
		args = append(args, slices.Repeat([]any{arg}, strings.Count(term, "?"))...)
	}
	for _, c := range []struct{ term, value string }{
		{"id = ?", f.ID}, {"comparison = ?", f.Comparison}, {"label = ?", f.Label}, {"build_id = ?", f.BuildID}, {"target = ?", f.Target},
		{"plan = ?", f.Plan}, {"machine = ?", f.Machine},
		{"substr('/' || package, -length('/' || ?)) = '/' || ?", f.Package},
		{"substr(commit_id, 1, length(?)) = ?", f.Commit},
	} {
		if c.value != "" {
			add(c.term, c.value)
		}
	}
	if !f.Since.IsZero() {
		add("started >= ?", f.Since.UnixNano())
	}
	if !f.Until.IsZero() {
		add("started < ?", f.Until.UnixNano())
	}
	if len(f.Status) > 0 {
		status := f.Status
		if f.asksForRunning() {
			status = append(slices.Clone(status), Running)
		}
		terms = append(terms, "status IN (?"+strings.Repeat(", ?", len(status)-1)+")")
		for _, s := range status {
			args = append(args, s)
		}
	}
	if len(terms) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(terms, " AND "), args
}
