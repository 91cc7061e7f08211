package services

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"net/http"
	"strconv"
)

//load: GET /?guest={rand:90}, 8 connections, 60/s

// bookings makes the code of a booking, which takes a few milliseconds of CPU time, while its transaction has locked the one room.
var bookings = Service{
	Name: "bookings",
	Setup: []string{
		"create table rooms (id integer primary key, booked integer, code text)", rows(1, "rooms", "i, 0, ''"),
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			if fixed {
				return bookCode(ctx, d, code(number(r, "guest")))
			}
			return bookRoom(ctx, d, number(r, "guest"))
		}), nil
	},
}

// lock takes the room for this transaction.
func lock(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "update rooms set booked = booked + 1 where id = 1") //truth: long-transaction: update rooms set booked = booked + 1 where id = 1
	return err
}

func keep(ctx context.Context, tx *sql.Tx, code string) error {
	_, err := tx.ExecContext(ctx, "update rooms set code = $1 where id = 1", code)
	return err
}

func bookRoom(ctx context.Context, d *sql.DB, guest int) (string, error) {
	tx, err := d.BeginTx(ctx, nil) //truth: long-transaction: BEGIN
	if err != nil {
		return "", err
	}
	defer tx.Rollback()
	if err := lock(ctx, tx); err != nil { //truth: long-transaction: update rooms set booked = booked + 1 where id = 1
		return "", err
	}
	made := code(guest) //truth: long-transaction
	if err := keep(ctx, tx, made); err != nil {
		return "", err
	}
	return made, tx.Commit() //truth: long-transaction
}

func bookCode(ctx context.Context, d *sql.DB, code string) (string, error) {
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer tx.Rollback()
	if err := lock(ctx, tx); err != nil {
		return "", err
	}
	if err := keep(ctx, tx, code); err != nil {
		return "", err
	}
	return code, tx.Commit()
}

// code is hashed so often that it cannot be guessed.
func code(guest int) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(guest)))
	for range 40000 {
		sum = sha256.Sum256(sum[:])
	}
	return hex.EncodeToString(sum[:8])
}
