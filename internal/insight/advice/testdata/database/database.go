// Package database is a database for trial programs: it keeps nothing, and a statement takes a while.
package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"time"
)

// Answer is what a statement takes, and how many rows it has: each of one number.
type Answer struct {
	Takes time.Duration
	Rows  int
}

// Open returns a database that answers as it is told.
func Open(answer func(statement string) Answer) *sql.DB {
	db := sql.OpenDB(connector{answer})
	db.SetMaxIdleConns(64)
	return db
}

type connector struct{ answer func(string) Answer }

func (c connector) Connect(context.Context) (driver.Conn, error) { return conn{c.answer}, nil }
func (c connector) Driver() driver.Driver                        { return c }
func (c connector) Open(string) (driver.Conn, error)             { return conn{c.answer}, nil }

type conn struct{ answer func(string) Answer }

func (conn) Close() error                             { return nil }
func (c conn) Begin() (driver.Tx, error)              { return c, nil }
func (conn) Prepare(string) (driver.Stmt, error)      { return nil, driver.ErrSkip }
func (conn) CheckNamedValue(*driver.NamedValue) error { return nil }

func (c conn) Commit() error   { return c.do("COMMIT") }
func (c conn) Rollback() error { return c.do("ROLLBACK") }

func (c conn) do(statement string) error {
	time.Sleep(c.answer(statement).Takes)
	return nil
}

func (c conn) ExecContext(_ context.Context, statement string, _ []driver.NamedValue) (driver.Result, error) {
	return driver.RowsAffected(1), c.do(statement)
}

func (c conn) QueryContext(_ context.Context, statement string, _ []driver.NamedValue) (driver.Rows, error) {
	a := c.answer(statement)
	time.Sleep(a.Takes)
	return &rows{a.Rows}, nil
}

type rows struct{ left int }

func (*rows) Columns() []string { return []string{"n"} }
func (*rows) Close() error      { return nil }

func (r *rows) Next(to []driver.Value) error {
	if r.left == 0 {
		return io.EOF
	}
	r.left--
	to[0] = int64(r.left)
	return nil
}
