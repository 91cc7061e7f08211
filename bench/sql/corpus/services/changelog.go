package services

import (
	"context"
	"database/sql"
	"net/http"
	"strconv"
)

//load: GET /?page={rand:4900}, 4 connections, 60/s

// changelog pages through all changes of a wiki, thirty at a time, the newest first. A page far back has a large offset.
var changelog = Service{
	Name: "changelog",
	Setup: []string{
		"create table changes (id integer primary key, title text, author text, at integer)", rows(changes, "changes", "i, 'page ' || (i * 31 % 4000), 'author ' || (i % 90), i * 60"),
		"create index changes_at on changes (at)", "analyze changes",
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			page := number(r, "page")
			if fixed { // the link has the time of the last change that its reader saw
				return changesBefore(ctx, d, (changes-page*30)*60+1)
			}
			return changesOn(ctx, d, page)
		}), nil
	},
}

// changes is how many there are, one each minute.
const changes = 150000

type change struct {
	ID            int
	Title, Author string
	Ago           string
}

func scanChange(rows *sql.Rows, c *change) error {
	var at int
	err := rows.Scan(&c.ID, &c.Title, &c.Author, &at)
	c.Ago = strconv.Itoa(changes-at/60) + " min"
	return err
}

func changesOn(ctx context.Context, d *sql.DB, page int) ([]change, error) {
	return collect(func() (*sql.Rows, error) {
		return d.QueryContext(ctx, "select id, title, author, at from changes order by at desc limit 30 offset $1", page*30) //truth: slow-statement: select id, title, author, at from changes order by at desc limit 30 offset $1
	}, scanChange)
}

func changesBefore(ctx context.Context, d *sql.DB, at int) ([]change, error) {
	return collect(func() (*sql.Rows, error) {
		return d.QueryContext(ctx, "select id, title, author, at from changes where at < $1 order by at desc limit 30", at)
	}, scanChange)
}
