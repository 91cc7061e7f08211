package services

import (
	"context"
	"database/sql"
	"net/http"
)

//load: GET /?station={rand:9}, 4 connections, 60/s
//truth: decoy: a batch of inserts by a prepared statement in a transaction is fine

// intake stores the readings of a station, thirty in one transaction by one prepared statement.
var intake = Service{
	Name:  "intake",
	Setup: []string{"create table readings (station integer, at integer, value integer)"},
	New: func(d *sql.DB, _ bool) (http.Handler, error) {
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			return "stored", storeReadings(ctx, d, number(r, "station"))
		}), nil
	},
}

func storeReadings(ctx context.Context, d *sql.DB, station int) error {
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.PrepareContext(ctx, "insert into readings values ($1, $2, $3)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for at := range 30 {
		if _, err := insert.ExecContext(ctx, station, at, at*at%101); err != nil {
			return err
		}
	}
	return tx.Commit()
}
