package services

import (
	"context"
	"database/sql"
	"net/http"
)

//load: GET /?owner={rand:40}, 4 connections, 100/s

// inbox shows the latest letters of an owner, and on the badge how many are unread: three, which it counts among all that it ever had.
var inbox = Service{
	Name: "inbox",
	Setup: []string{
		"create table owners (id integer primary key, name text)", rows(40, "owners", "i - 1, 'owner ' || i"),
		"create table letters (id integer primary key, owner integer, subject text, unread integer)", rows(90000, "letters", "i, i % 40, 'about ' || (i % 300), case when i > 89880 then 1 else 0 end"),
		"create index letters_owner on letters (owner, id)", "analyze letters",
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		if fixed {
			if _, err := d.Exec("create index letters_unread on letters (owner) where unread = 1"); err != nil {
				return nil, err
			}
		}
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			return openInbox(ctx, d, number(r, "owner"))
		}), nil
	},
}

type letters struct {
	Owner  string
	Unread int
	Latest []string
}

func openInbox(ctx context.Context, d *sql.DB, owner int) (l letters, err error) {
	if err := d.QueryRowContext(ctx, "select name from owners where id = $1", owner).Scan(&l.Owner); err != nil {
		return l, err
	}
	l.Latest, err = collect(func() (*sql.Rows, error) {
		return d.QueryContext(ctx, "select subject from letters where owner = $1 order by id desc limit 20", owner)
	}, func(rows *sql.Rows, subject *string) error { return rows.Scan(subject) })
	if err != nil {
		return l, err
	}
	l.Unread, err = badge(ctx, d, owner)
	return l, err
}

func badge(ctx context.Context, d *sql.DB, owner int) (n int, err error) {
	err = d.QueryRowContext(ctx, "select count(*) from letters where owner = $1 and unread = 1", owner).Scan(&n) //truth: slow-statement: select count(*) from letters where owner = $1 and unread = 1
	return n, err
}
