package services

import (
	"context"
	"database/sql"
	"net/http"
	"time"
)

//load: GET /?article={rand:800}, 3 connections
//truth: decoy: the pool is small, and no request waits for it

// kiosk has a pool of four connections, and never more than three requests.
var kiosk = Service{
	Name: "kiosk",
	Setup: []string{
		"create table articles (id integer primary key, title text, cents integer)", rows(800, "articles", "i, 'article ' || i, i % 300"),
	},
	New: func(d *sql.DB, _ bool) (http.Handler, error) {
		d.SetMaxOpenConns(4)
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			var title string
			var cents int
			err := d.QueryRowContext(ctx, "select title, cents from articles where id = $1", number(r, "article")+1).Scan(&title, &cents)
			ask(time.Millisecond) // the printer, without a connection
			return map[string]any{"title": title, "cents": cents}, err
		}), nil
	},
}
