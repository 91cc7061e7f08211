// Package memdb is a driver of database/sql for small tables in memory.
package memdb

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"sync"
)

type table struct {
	columns []string
	rows    [][]any
}

var (
	mu     sync.RWMutex
	tables = map[string]*table{}
	once   sync.Once
)

// Define makes or replaces a table. The columns' values are strings and int64s.
func Define(name string, columns []string, rows [][]any) {
	once.Do(func() { sql.Register("memdb", drv{}) })
	mu.Lock()
	defer mu.Unlock()
	tables[name] = &table{columns, rows}
}

type drv struct{}

func (drv) Open(string) (driver.Conn, error) { return conn{}, nil }

type conn struct{}

func (conn) Prepare(q string) (driver.Stmt, error) { return parse(q) }
func (conn) Close() error                          { return nil }
func (conn) Begin() (driver.Tx, error)             { return nil, errors.New("memdb: no transactions") }

func (s *stmt) Close() error  { return nil }
func (s *stmt) NumInput() int { return s.params }
func (s *stmt) Exec([]driver.Value) (driver.Result, error) {
	return nil, errors.New("memdb: read only")
}

func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	r := &result{names: s.names}
	for _, row := range s.table.rows {
		if s.where(row, args) {
			r.rows = append(r.rows, row)
		}
	}
	r.cols = s.cols
	return r, nil
}

type result struct {
	names []string
	cols  []int
	rows  [][]any
}

func (r *result) Columns() []string { return r.names }
func (r *result) Close() error      { return nil }

func (r *result) Next(dest []driver.Value) error {
	if len(r.rows) == 0 {
		return io.EOF
	}
	for i, c := range r.cols {
		dest[i] = r.rows[0][c]
	}
	r.rows = r.rows[1:]
	return nil
}
