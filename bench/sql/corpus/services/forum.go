package services

import (
	"context"
	"database/sql"
	"net/http"
)

//load: GET /?board={rand:20}, 6 connections, 120/s

// forum shows the threads of a board, and counts the comments of each by a prepared statement.
var forum = Service{
	Name: "forum",
	Setup: []string{
		"create table threads (id integer primary key, board integer, title text)", rows(400, "threads", "i, i % 20, 'thread ' || i"), "create index threads_board on threads (board)",
		"create table comments (id integer primary key, thread integer, body text)", rows(8000, "comments", "i, i % 400 + 1, 'comment ' || i"), "create index comments_thread on comments (thread)",
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		f := board{DB: d}
		var err error
		if f.comments, err = d.Prepare("select count(*) from comments where thread = $1"); err != nil {
			return nil, err
		}
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			if fixed {
				return f.counted(ctx, number(r, "board"))
			}
			return f.list(ctx, number(r, "board"))
		}), nil
	},
}

type board struct {
	*sql.DB
	comments *sql.Stmt
}

type thread struct {
	ID       int
	Title    string
	Comments int
}

func (b board) list(ctx context.Context, id int) ([]thread, error) {
	all, err := collect(func() (*sql.Rows, error) {
		return b.QueryContext(ctx, "select id, title from threads where board = $1", id)
	},
		func(rows *sql.Rows, t *thread) error { return rows.Scan(&t.ID, &t.Title) })
	if err != nil {
		return nil, err
	}
	for i := range all {
		if err := b.count(ctx, &all[i]); err != nil { //truth: n-plus-one: select count(*) from comments where thread = $1
			return nil, err
		}
	}
	return all, nil
}

func (b board) count(ctx context.Context, t *thread) error {
	return b.comments.QueryRowContext(ctx, t.ID).Scan(&t.Comments) //truth: n-plus-one: select count(*) from comments where thread = $1
}

func (b board) counted(ctx context.Context, id int) ([]thread, error) {
	return collect(func() (*sql.Rows, error) {
		return b.QueryContext(ctx, "select t.id, t.title, count(c.id) from threads t left join comments c on c.thread = t.id where t.board = $1 group by t.id, t.title", id)
	}, func(rows *sql.Rows, t *thread) error { return rows.Scan(&t.ID, &t.Title, &t.Comments) })
}
