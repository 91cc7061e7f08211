package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"maps"
	"slices"
	"sync"
	"time"
)

// Figures are what a database did.
type Figures struct {
	// Statements is how long each execution of a statement took, with all rows that were read of it, by its text.
	Statements map[string][]time.Duration `json:"statements_ns"`
	// Rows is how many rows were read of all executions of a statement, by its text.
	Rows map[string]int `json:"rows"`
	// Transactions is how many ended, Idle the time in them in which no statement ran or was made ready.
	Transactions int           `json:"transactions"`
	Idle         time.Duration `json:"idle_ns"`
	// Waits is how often a request waited for a connection of the pool, Waited how long all of them did.
	Waits  int64         `json:"waits"`
	Waited time.Duration `json:"waited_ns"`
}

// Counter counts what a database does. It holds a service to its word; a service that is measured has none.
type Counter struct {
	mu  sync.Mutex
	all Figures
}

// Counted opens a database with a driver that counts.
func Counted(url string) (*sql.DB, *Counter, error) {
	name, dsn := source(url)
	d, err := sql.Open(name, dsn)
	if err != nil {
		return nil, nil, err
	}
	c := &Counter{all: Figures{Statements: map[string][]time.Duration{}, Rows: map[string]int{}}}
	return sql.OpenDB(connector{d.Driver(), dsn, c}), c, d.Close()
}

// Read is what was counted, with the figures of the pool.
func (c *Counter) Read(d *sql.DB) Figures {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, s := c.all, d.Stats()
	now.Statements, now.Rows = map[string][]time.Duration{}, maps.Clone(c.all.Rows)
	for text, all := range c.all.Statements {
		now.Statements[text] = slices.Clone(all)
	}
	now.Waits, now.Waited = s.WaitCount, s.WaitDuration
	return now
}

func (c *Counter) statement(text string, took time.Duration, rows int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all.Statements[text] = append(c.all.Statements[text], took)
	c.all.Rows[text] += rows
}

func (c *Counter) ended(idle time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all.Transactions, c.all.Idle = c.all.Transactions+1, c.all.Idle+idle
}

type connector struct {
	driver driver.Driver
	dsn    string
	*Counter
}

func (c connector) Driver() driver.Driver { return c.driver }

func (c connector) Connect(context.Context) (driver.Conn, error) {
	inner, err := c.driver.Open(c.dsn)
	return &conn{Conn: inner, Counter: c.Counter}, err
}

// conn prepares each statement, since it is neither a driver.QueryerContext nor a driver.ExecerContext.
type conn struct {
	driver.Conn
	*Counter
	// Of its transaction: when it began, and how long statements were made ready and ran in it.
	began time.Time
	busy  time.Duration
}

func (c *conn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	began := time.Now()
	inner, err := c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, text)
	c.busy += time.Since(began)
	return &stmt{inner, c, text}, err
}

func (c *conn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	asked := time.Now()
	inner, err := c.Conn.(driver.ConnBeginTx).BeginTx(ctx, o)
	c.began, c.busy = time.Now(), 0
	c.statement("BEGIN", c.began.Sub(asked), 0)
	return tx{inner, c}, err
}

type tx struct {
	driver.Tx
	*conn
}

func (t tx) Commit() error {
	t.ended(time.Since(t.began) - t.busy)
	return t.Tx.Commit()
}

func (t tx) Rollback() error {
	t.ended(time.Since(t.began) - t.busy)
	return t.Tx.Rollback()
}

type stmt struct {
	driver.Stmt
	*conn
	text string
}

// Close, as in what it embeds twice.
func (s *stmt) Close() error { return s.Stmt.Close() }

func (s *stmt) count(took time.Duration, rows int) {
	s.busy += took
	s.statement(s.text, took, rows)
}

func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	began := time.Now()
	inner, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	took := time.Since(began)
	if err != nil {
		s.count(took, 0)
		return nil, err
	}
	return &rows{inner, s, took, 0}, nil
}

func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	began := time.Now()
	defer func() { s.count(time.Since(began), 0) }()
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

// rows count when they are closed: a database may find the next row only when it is asked for it. What the program does between two rows
// is not the database's time.
type rows struct {
	driver.Rows
	of   *stmt
	took time.Duration
	n    int
}

func (r *rows) Next(row []driver.Value) error {
	began := time.Now()
	err := r.Rows.Next(row)
	r.took += time.Since(began)
	if err == nil {
		r.n++
	}
	return err
}

func (r *rows) Close() error {
	r.of.count(r.took, r.n)
	return r.Rows.Close()
}
