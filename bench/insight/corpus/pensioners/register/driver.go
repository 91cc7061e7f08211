// Package register is a driver for the register of pensions, which speaks lines: a question, then an answer with tabs.
package register

import (
	"bufio"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

func init() { sql.Register("register", dialer{}) }

type dialer struct{}

func (dialer) Open(addr string) (driver.Conn, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &conn{c, bufio.NewReader(c)}, nil
}

type conn struct {
	net.Conn
	in *bufio.Reader
}

func (c *conn) Begin() (driver.Tx, error)                    { return nil, errors.New("the register has no transactions") }
func (c *conn) Prepare(question string) (driver.Stmt, error) { return &stmt{c, question}, nil }

type stmt struct {
	c        *conn
	question string
}

func (s *stmt) Close() error  { return nil }
func (s *stmt) NumInput() int { return 1 }
func (s *stmt) Exec([]driver.Value) (driver.Result, error) {
	return nil, errors.New("the register is read only")
}

func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	if _, err := fmt.Fprintf(s.c, "%s\t%v\n", s.question, args[0]); err != nil {
		return nil, driver.ErrBadConn
	}
	line, err := s.c.in.ReadString('\n')
	if err != nil {
		return nil, driver.ErrBadConn
	}
	return &rows{fields: strings.Split(strings.TrimSpace(line), "\t")}, nil
}

type rows struct{ fields []string }

func (r *rows) Columns() []string { return []string{"name", "cents", "since"} }
func (r *rows) Close() error      { return nil }

func (r *rows) Next(to []driver.Value) error {
	if len(r.fields) < len(to) {
		return io.EOF
	}
	to[0] = r.fields[0]
	for i := 1; i < len(to); i++ {
		n, err := strconv.ParseInt(r.fields[i], 10, 64)
		if err != nil {
			return err
		}
		to[i] = n
	}
	r.fields = nil
	return nil
}
