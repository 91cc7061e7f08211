package services

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"time"
)

//load: GET /?cents={rand:90}, 8 connections, 60/s

// ledger books on its one account, and asks for an audit before it commits: a third of the time it is locked, and all others wait.
var ledger = Service{
	Name: "ledger",
	Setup: []string{
		"create table accounts (id integer primary key, cents integer)", rows(1, "accounts", "i, 0"),
		"create table entries (account integer, cents integer)",
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			if fixed {
				ask(audit)
			}
			return "booked", book(ctx, d, number(r, "cents"), fixed)
		}), nil
	},
}

// audit is how long one takes.
const audit = 6 * time.Millisecond

func book(ctx context.Context, d *sql.DB, cents int, audited bool) error {
	tx, err := d.BeginTx(ctx, nil) //truth: long-transaction: BEGIN
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "update accounts set cents = cents + $1 where id = 1", cents) //truth: long-transaction: update accounts set cents = cents + $1 where id = 1
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if !audited {
		ask(audit) //truth: long-transaction
	}
	if _, err := tx.ExecContext(ctx, "insert into entries values (1, $1)", cents); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit() //truth: long-transaction
}
