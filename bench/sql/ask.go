package sql

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/walltime"
)

// ask loads a service, and returns what hone advise says of how it uses its database, and which SQL statements hone tail has of its
// requests, those that take most of them first.
func (c config) ask(ctx context.Context, t task) (advised []statement, tail []walltime.Statement, err error) {
	var run struct{ ID string }
	if _, err := c.Hone.Ask(ctx, &run, []int{honecli.Invalid}, "run --quiet --no-report", c.runArgs(t)...); err != nil {
		return nil, nil, err
	}
	var findings advice.Findings
	if _, err := c.Hone.Ask(ctx, &findings, nil, "advise", run.ID); err != nil {
		return nil, nil, err
	}
	var digest walltime.Digest
	if _, err := c.Hone.Ask(ctx, &digest, nil, "tail", run.ID); err != nil {
		return nil, nil, err
	}
	if findings.Schema != advice.Schema || digest.Schema != walltime.Schema {
		return nil, nil, fmt.Errorf("read what hone says of %s: schemas %q and %q, want %s and %s", run.ID, findings.Schema, digest.Schema, advice.Schema, walltime.Schema)
	}
	for _, cohort := range digest.Cohorts {
		if cohort.Name == walltime.SlowName || cohort.Name == walltime.TypicalName {
			tail = append(tail, cohort.Statements...)
		}
	}
	slices.SortStableFunc(tail, func(a, b walltime.Statement) int { return cmp.Compare(b.Nanos, a.Nanos) })
	return read(findings.Findings, tail), tail, nil
}

// runArgs are the arguments of hone run, in the directory of the corpus.
func (c config) runArgs(t task) []string {
	hone := []string{"./svc", "-d", c.length.String(), "-c", strconv.Itoa(t.load.Connections), "--target", "http://127.0.0.1:{port}" + t.load.Path}
	if t.load.RateHz > 0 {
		hone = append(hone, "--rate", strconv.Itoa(t.load.RateHz))
	}
	at := "{dir}/shop.db"
	if t.Database == postgres {
		hone = append(hone, "--need", "db=sh "+starter+" {dir} {port}", "--set", "need.ready=db=log:ready to accept connections")
		at = url("{db.port}")
	}
	return slices.Concat(hone, []string{"--", "-addr", "127.0.0.1:{port}", "-service", t.Name, "-db", at, "-fixed=" + strconv.FormatBool(t.Fixed)})
}

// kindOf are the kinds of hone's rules.
var kindOf = map[string]kind{"n-plus-one": manyQueries, "call-in-loop": manyQueries, "slow-statement": slowStatement, "small-pool": smallPool, "long-transaction": longTransaction}

// read are the findings about the database. Those of two rules may be about something else.
func read(all []advice.Finding, tail []walltime.Statement) (some []statement) {
	for _, f := range all {
		k, ok := kindOf[f.Rule]
		if !ok || f.Rule == "call-in-loop" && !strings.HasPrefix(f.Via, "sql.") || f.Rule == "small-pool" && !strings.Contains(f.Title, "database/sql") {
			continue
		}
		some = append(some, statement{Kind: k, SQL: named(f, tail), File: f.Place.File, Line: int(f.Place.Line), By: f.Rule})
	}
	return some
}

// named are the SQL statements of the requests that a finding shows, in its title or its evidence.
func named(f advice.Finding, tail []walltime.Statement) (all []string) {
	text := f.Title
	for _, e := range f.Evidence {
		text += "\n" + e.Text
	}
	for _, s := range tail {
		if strings.Contains(text, s.Text) && !slices.Contains(all, s.Text) {
			all = append(all, s.Text)
		}
	}
	return all
}
