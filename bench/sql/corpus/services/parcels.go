package services

import (
	"context"
	"database/sql"
	"net/http"
	"strconv"
)

//load: GET /?parcel={rand:80000}, 4 connections, 60/s

// parcels finds a parcel by its code. The table has no index of codes.
var parcels = Service{
	Name: "parcels",
	Setup: []string{
		"create table stations (id integer primary key, name text)", rows(50, "stations", "i, 'station ' || i"),
		"create table parcels (id integer primary key, code text, station integer)", rows(80000, "parcels", "i, 'P' || i, i % 50 + 1"),
		"create table events (id integer primary key, parcel integer, what text)", rows(80000, "events", "i, i, 'arrived'"), "create index events_parcel on events (parcel)",
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		if fixed {
			if _, err := d.Exec("create index parcels_code on parcels (code)"); err != nil {
				return nil, err
			}
		}
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			return track(ctx, d, "P"+strconv.Itoa(number(r, "parcel")+1))
		}), nil
	},
}

type tracked struct{ Station, Last string }

func track(ctx context.Context, d *sql.DB, code string) (t tracked, err error) {
	var id, station int
	find := d.QueryRowContext(ctx, "select id, station from parcels where code = $1", code) //truth: slow-statement: select id, station from parcels where code = $1
	if err := find.Scan(&id, &station); err != nil {
		return t, err
	}
	if err := d.QueryRowContext(ctx, "select name from stations where id = $1", station).Scan(&t.Station); err != nil {
		return t, err
	}
	return t, d.QueryRowContext(ctx, "select what from events where parcel = $1 limit 1", id).Scan(&t.Last)
}
