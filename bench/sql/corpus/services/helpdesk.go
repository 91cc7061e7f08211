package services

import (
	"context"
	"database/sql"
	"net/http"
	"strconv"
	"strings"
)

//load: GET /?who={rand:25000}, 4 connections, 60/s

// helpdesk shows who wrote: the account by its address in any case, its plan, its calls and its payments. The index keeps the
// case of addresses, so that a search in any case cannot use it.
var helpdesk = Service{
	Name: "helpdesk",
	Setup: []string{
		"create table plans (id integer primary key, name text)", rows(5, "plans", "i, 'plan ' || i"),
		"create table accounts (id integer primary key, address text, name text, plan integer)", rows(25000, "accounts", "i, 'Writer.' || i || '@Example.org', 'writer ' || i, i % 5 + 1"),
		"create index accounts_address on accounts (address)",
		"create table calls (id integer primary key, account integer, subject text)", rows(40000, "calls", "i, i * 7 % 25000 + 1, 'subject ' || (i % 60)"), "create index calls_account on calls (account)",
		"create table payments (id integer primary key, account integer, cents integer)", rows(40000, "payments", "i, i * 11 % 25000 + 1, i % 900"), "create index payments_account on payments (account)",
		"analyze accounts", "analyze calls", "analyze payments",
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		if fixed {
			if _, err := d.Exec("create index accounts_lower on accounts (lower(address))"); err != nil {
				return nil, err
			}
		}
		desk := desk{d}
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			return desk.writer(ctx, "writer."+strconv.Itoa(number(r, "who")+1)+"@EXAMPLE.org")
		}), nil
	},
}

type desk struct{ *sql.DB }

type writer struct {
	Name, Plan string
	Calls      []string
	Cents      sql.NullInt64
}

func (d desk) writer(ctx context.Context, address string) (w writer, err error) {
	id, plan := 0, 0
	if err := d.account(ctx, address).Scan(&id, &w.Name, &plan); err != nil {
		return w, err
	}
	if err := d.QueryRowContext(ctx, "select name from plans where id = $1", plan).Scan(&w.Plan); err != nil {
		return w, err
	}
	w.Calls, err = collect(func() (*sql.Rows, error) {
		return d.QueryContext(ctx, "select subject from calls where account = $1 order by id desc limit 5", id)
	}, func(rows *sql.Rows, subject *string) error { return rows.Scan(subject) })
	if err != nil {
		return w, err
	}
	err = d.QueryRowContext(ctx, "select sum(cents) from payments where account = $1", id).Scan(&w.Cents)
	return w, err
}

func (d desk) account(ctx context.Context, address string) *sql.Row {
	return d.QueryRowContext(ctx, "select id, name, plan from accounts where lower(address) = $1", strings.ToLower(address)) //truth: slow-statement: select id, name, plan from accounts where lower(address) = $1
}
