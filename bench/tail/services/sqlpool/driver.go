package main

import (
	"bufio"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
)

// connector makes connections to the backend: a query is a line, its answer one row with the line
// that comes back.
type connector struct{ address string }

// Connect implements driver.Connector.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", c.address)
	if err != nil {
		return nil, err
	}
	return &connection{conn, bufio.NewReader(conn)}, nil
}

// Driver implements driver.Connector.
func (c connector) Driver() driver.Driver { return named{} }

type named struct{}

// Open implements driver.Driver.
func (named) Open(name string) (driver.Conn, error) {
	return connector{name}.Connect(context.Background())
}

type connection struct {
	conn net.Conn
	in   *bufio.Reader
}

var _ driver.QueryerContext = (*connection)(nil)

// QueryContext implements driver.QueryerContext.
func (c *connection) QueryContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	if _, err := fmt.Fprintln(c.conn, query); err != nil {
		return nil, err
	}
	line, err := c.in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	return &row{line}, nil
}

var errQueriesOnly = errors.New("this database only answers queries")

// Prepare implements driver.Conn.
func (c *connection) Prepare(string) (driver.Stmt, error) { return nil, errQueriesOnly }

// Begin implements driver.Conn.
func (c *connection) Begin() (driver.Tx, error) { return nil, errQueriesOnly }

// Close implements driver.Conn.
func (c *connection) Close() error { return c.conn.Close() }

// row is the one row of an answer; none once it was read.
type row struct{ text string }

// Columns implements driver.Rows.
func (r *row) Columns() []string { return []string{"answer"} }

// Close implements driver.Rows.
func (r *row) Close() error { return nil }

// Next implements driver.Rows.
func (r *row) Next(to []driver.Value) error {
	if r.text == "" {
		return io.EOF
	}
	to[0], r.text = r.text, ""
	return nil
}
