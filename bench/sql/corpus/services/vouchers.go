package services

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
)

//load: GET /?voucher={rand:6000}, 2 connections, 40/s
//truth: decoy: a transaction with four fast reads and one write, and nothing between them

// vouchers takes a voucher in payment, if its shop and its campaign allow it.
var vouchers = Service{
	Name: "vouchers",
	Setup: []string{
		"create table campaigns (id integer primary key, most integer)", rows(20, "campaigns", "i, 100000"),
		"create table shops (id integer primary key, is_open integer)", rows(50, "shops", "i, 1"),
		"create table vouchers (id integer primary key, campaign integer, shop integer, used integer)", rows(6000, "vouchers", "i - 1, i % 20 + 1, i % 50 + 1, 0"),
		"create table uses (id integer primary key, voucher integer, cents integer)", rows(12000, "uses", "i, i % 6000, i % 500"), "create index uses_voucher on uses (voucher)",
		"analyze vouchers", "analyze uses",
	},
	New: func(d *sql.DB, _ bool) (http.Handler, error) {
		return handler(func(ctx context.Context, r *http.Request) (any, error) { return redeem(ctx, d, number(r, "voucher")) }), nil
	},
}

var errVoucher = errors.New("this voucher is not for this shop")

func redeem(ctx context.Context, d *sql.DB, id int) (cents int, err error) {
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	var campaign, shop, used, most, open int
	if err := tx.QueryRowContext(ctx, "select campaign, shop, used from vouchers where id = $1", id).Scan(&campaign, &shop, &used); err != nil {
		return 0, err
	}
	if err := tx.QueryRowContext(ctx, "select most from campaigns where id = $1", campaign).Scan(&most); err != nil {
		return 0, err
	}
	if err := tx.QueryRowContext(ctx, "select is_open from shops where id = $1", shop).Scan(&open); err != nil {
		return 0, err
	}
	if err := tx.QueryRowContext(ctx, "select sum(cents) from uses where voucher = $1", id).Scan(&cents); err != nil {
		return 0, err
	}
	if open == 0 || used > most {
		return 0, errVoucher
	}
	if _, err := tx.ExecContext(ctx, "update vouchers set used = used + 1 where id = $1", id); err != nil {
		return 0, err
	}
	return cents, tx.Commit()
}
