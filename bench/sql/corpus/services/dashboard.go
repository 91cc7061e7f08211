package services

import (
	"context"
	"database/sql"
	"net/http"
)

//load: GET /?team={rand:30}, 8 connections, 80/s
//truth: decoy: ten statements in a request, all different

// dashboard shows many figures of a team, each by a statement of its own.
var dashboard = Service{
	Name: "dashboard",
	Setup: []string{
		"create table issues (id integer primary key, team integer, state text, hours integer)", rows(3000, "issues", "i, i % 30, case when i % 3 = 0 then 'open' else 'done' end, i % 12"),
		"create index issues_team on issues (team)",
		"create table teams (id integer primary key, name text)", rows(30, "teams", "i - 1, 'team ' || i"),
	},
	New: func(d *sql.DB, _ bool) (http.Handler, error) {
		return handler(func(ctx context.Context, r *http.Request) (any, error) { return tiles(ctx, d, number(r, "team")) }), nil
	},
}

// tiles are the figures. All statements have one place, which calls the database in a loop.
func tiles(ctx context.Context, d *sql.DB, team int) ([]sql.NullString, error) {
	queries := []string{
		"select name from teams where id = $1",
		"select count(*) from issues where team = $1",
		"select count(*) from issues where team = $1 and state = 'open'",
		"select max(hours) from issues where team = $1",
		"select min(hours) from issues where team = $1 and state = 'done'",
		"select sum(hours) from issues where team = $1",
		"select max(id) from issues where team = $1",
		"select min(id) from issues where team = $1 and state = 'open'",
		"select count(distinct hours) from issues where team = $1",
		"select count(*) from issues where team = $1 and hours > 8",
	}
	all := make([]sql.NullString, len(queries))
	for i, q := range queries {
		if err := d.QueryRowContext(ctx, q, team).Scan(&all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}
