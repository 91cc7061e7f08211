package services

import (
	"context"
	"database/sql"
	"net/http"
	"time"
)

//load: GET /?member={rand:2000}, 8 connections

// members takes a connection for all of a request, as a session has to be set up on it, and asks a directory meanwhile. There are three.
var members = Service{
	Name: "members",
	Setup: []string{
		"create table members (id integer primary key, name text, since integer)", rows(2000, "members", "i, 'member ' || i, i % 40"),
		"create table fees (id integer primary key, member integer, cents integer)", rows(6000, "fees", "i, i % 2000 + 1, i % 500"), "create index fees_member on fees (member)",
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		pool := 3
		if fixed {
			pool = 24
		}
		d.SetMaxOpenConns(pool) //truth: small-pool
		return handler(func(ctx context.Context, r *http.Request) (any, error) { return card(ctx, d, number(r, "member")+1) }), nil
	},
}

type memberCard struct {
	Name  string
	Cents int
}

func card(ctx context.Context, d *sql.DB, id int) (c memberCard, err error) {
	conn, err := d.Conn(ctx) //truth: small-pool
	if err != nil {
		return c, err
	}
	defer conn.Close()
	if err := conn.QueryRowContext(ctx, "select name from members where id = $1", id).Scan(&c.Name); err != nil {
		return c, err
	}
	ask(3 * time.Millisecond)
	return c, conn.QueryRowContext(ctx, "select sum(cents) from fees where member = $1", id).Scan(&c.Cents)
}
