package services

import (
	"context"
	"database/sql"
	"net/http"
	"time"
)

//load: GET /?show={rand:100}, 8 connections

// tickets has two connections for all its requests, each of which keeps one while it asks another service for prices.
var tickets = Service{
	Name: "tickets",
	Setup: []string{
		"create table seats (id integer primary key, show integer, place text)", rows(3000, "seats", "i, i % 100, 'row ' || i % 30"), "create index seats_show on seats (show)",
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		d.SetMaxOpenConns(2) //truth: small-pool
		if fixed {
			d.SetMaxOpenConns(32)
		}
		return handler(func(ctx context.Context, r *http.Request) (any, error) { return offers(ctx, d, number(r, "show")) }), nil
	},
}

func offers(ctx context.Context, d *sql.DB, show int) (all []string, err error) {
	rows, err := d.QueryContext(ctx, "select place from seats where show = $1 order by id", show) //truth: small-pool: select place from seats where show = $1 order by id
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var place string
		if err := rows.Scan(&place); err != nil {
			return nil, err
		}
		if all = append(all, place); len(all) == 1 {
			ask(2 * time.Millisecond)
		}
	}
	return all, rows.Err()
}
