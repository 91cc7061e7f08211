package services

import (
	"context"
	"database/sql"
	"net/http"
)

//load: GET /?member={rand:500}, 4 connections, 60/s

// visits shows a member and the last visits. It sorts all visits of the member, and has to find them without an index.
var visits = Service{
	Name: "visits",
	Setup: []string{
		"create table people (id integer primary key, name text)", rows(500, "people", "i, 'member ' || i"),
		"create table visits (id integer primary key, member integer, page text, at integer)", rows(60000, "visits", "i, i % 500 + 1, '/page/' || i % 70, i * 17 % 9999"),
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		if fixed {
			if _, err := d.Exec("create index visits_member on visits (member, at)"); err != nil {
				return nil, err
			}
		}
		h := history{d}
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			id := number(r, "member") + 1
			var name string
			if err := d.QueryRowContext(ctx, "select name from people where id = $1", id).Scan(&name); err != nil {
				return nil, err
			}
			pages, err := h.last(ctx, id)
			return map[string]any{"name": name, "pages": pages}, err
		}), nil
	},
}

type history struct{ d *sql.DB }

func (h history) last(ctx context.Context, member int) ([]string, error) {
	const query = `select page
		from visits
		where member = $1
		order by at desc
		limit 10`
	return collect(func() (*sql.Rows, error) {
		return h.d.QueryContext(ctx, query, member) //truth: slow-statement: select page from visits where member = $1 order by at desc limit 10
	}, func(rows *sql.Rows, page *string) error { return rows.Scan(page) })
}
