package services

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"net/http"
	"strconv"
)

//load: GET /?room={rand:3}, 6 connections, 50/s

// bookings makes the code of a booking, which takes a few milliseconds of CPU time, while its transaction has locked the room.
var bookings = Service{
	Name: "bookings",
	Setup: []string{
		"create table rooms (id integer primary key, booked integer, code text)", rows(3, "rooms", "i, 0, ''"),
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			if fixed {
				return bookCode(ctx, d, number(r, "room")+1, code(number(r, "room")))
			}
			return bookRoom(ctx, d, number(r, "room")+1)
		}), nil
	},
}

// lock takes the room for this transaction.
func lock(ctx context.Context, tx *sql.Tx, room int) error {
	_, err := tx.ExecContext(ctx, "update rooms set booked = booked + 1 where id = $1", room) //truth: long-transaction: update rooms set booked = booked + 1 where id = $1
	return err
}

func keep(ctx context.Context, tx *sql.Tx, room int, code string) error {
	_, err := tx.ExecContext(ctx, "update rooms set code = $1 where id = $2", code, room)
	return err
}

func bookRoom(ctx context.Context, d *sql.DB, room int) (string, error) {
	tx, err := d.BeginTx(ctx, nil) //truth: long-transaction: BEGIN
	if err != nil {
		return "", err
	}
	defer tx.Rollback()
	if err := lock(ctx, tx, room); err != nil { //truth: long-transaction: update rooms set booked = booked + 1 where id = $1
		return "", err
	}
	made := code(room) //truth: long-transaction
	if err := keep(ctx, tx, room, made); err != nil {
		return "", err
	}
	return made, tx.Commit() //truth: long-transaction
}

func bookCode(ctx context.Context, d *sql.DB, room int, code string) (string, error) {
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer tx.Rollback()
	if err := lock(ctx, tx, room); err != nil {
		return "", err
	}
	if err := keep(ctx, tx, room, code); err != nil {
		return "", err
	}
	return code, tx.Commit()
}

// code is hashed so often that it cannot be guessed.
func code(room int) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(room)))
	for range 40000 {
		sum = sha256.Sum256(sum[:])
	}
	return hex.EncodeToString(sum[:8])
}
