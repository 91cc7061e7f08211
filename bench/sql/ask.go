package sql

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
)

// ask loads a service, and returns what hone says of how it uses its database.
func (c config) ask(ctx context.Context, t task) ([]statement, error) {
	var run struct{ ID string }
	if _, err := c.Hone.Ask(ctx, &run, nil, "run --quiet --no-report", c.runArgs(t)...); err != nil {
		return nil, err
	}
	var d advice.Findings
	if _, err := c.Hone.Ask(ctx, &d, nil, "advise", run.ID); err != nil {
		return nil, err
	}
	if d.Schema != advice.Schema {
		return nil, fmt.Errorf("read what hone advise %s prints: schema %q, want %s", run.ID, d.Schema, advice.Schema)
	}
	return advised(d.Findings), nil
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
var kindOf = map[string]kind{"call-in-loop": manyQueries}

// advised are the findings about a database.
func advised(all []advice.Finding) (some []statement) {
	for _, f := range all {
		k, ok := kindOf[f.Rule]
		if ok && strings.HasPrefix(f.Via, "sql.") {
			some = append(some, statement{Kind: k, File: f.Place.File, Line: int(f.Place.Line), By: "advise " + f.Rule})
		}
	}
	return some
}
