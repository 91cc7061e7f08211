package services

import (
	"context"
	"database/sql"
	"net/http"
)

//load: GET /?meter={rand:60}, 4 connections, 60/s
//truth: decoy: a statement that returns a thousand rows, all of which the answer has, from a range of an index

// meters has what a house took in each quarter of an hour of the last ten days.
var meters = Service{
	Name: "meters",
	Setup: []string{
		"create table houses (id integer primary key, street text)", rows(60, "houses", "i - 1, 'street ' || i"),
		"create table loads (meter integer, quarter integer, watts integer)", rows(60*quarters, "loads", "(i - 1) / 2000, (i - 1) % 2000, i * 7919 % 3600"),
		"create index loads_meter on loads (meter, quarter, watts)", "analyze loads",
	},
	New: func(d *sql.DB, _ bool) (http.Handler, error) {
		return handler(func(ctx context.Context, r *http.Request) (any, error) { return curve(ctx, d, number(r, "meter")) }), nil
	},
}

// quarters is how many a meter has.
const quarters = 2000

type point struct{ Quarter, Watts int }

func curve(ctx context.Context, d *sql.DB, meter int) (any, error) {
	var street string
	if err := d.QueryRowContext(ctx, "select street from houses where id = $1", meter).Scan(&street); err != nil {
		return nil, err
	}
	points, err := collect(func() (*sql.Rows, error) {
		return d.QueryContext(ctx, "select quarter, watts from loads where meter = $1 and quarter >= $2 order by quarter", meter, quarters-10*24*4)
	}, func(rows *sql.Rows, p *point) error { return rows.Scan(&p.Quarter, &p.Watts) })
	return map[string]any{"street": street, "curve": points}, err
}
