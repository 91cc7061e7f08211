package services

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"time"
)

//load: GET /?account={rand:2}, 6 connections, 50/s

// ledger books on one of two accounts, and asks for an audit before it commits: all others on that account wait.
var ledger = Service{
	Name: "ledger",
	Setup: []string{
		"create table accounts (id integer primary key, cents integer)", rows(2, "accounts", "i, 0"),
		"create table entries (account integer, cents integer)",
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			if fixed {
				ask(4 * time.Millisecond)
			}
			return "booked", book(ctx, d, number(r, "account")+1, fixed)
		}), nil
	},
}

func book(ctx context.Context, d *sql.DB, account int, audited bool) error {
	tx, err := d.BeginTx(ctx, nil) //truth: long-transaction: BEGIN
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "update accounts set cents = cents + 5 where id = $1", account) //truth: long-transaction: update accounts set cents = cents + 5 where id = $1
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if !audited {
		ask(4 * time.Millisecond) //truth: long-transaction
	}
	if _, err := tx.ExecContext(ctx, "insert into entries values ($1, 5)", account); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit() //truth: long-transaction
}
