// Package db opens the database of a service: SQLite in a file, or PostgreSQL at a URL.
package db

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"
)

// source is the driver of a database and what the driver calls it.
func source(url string) (driver, name string) {
	if strings.HasPrefix(url, "postgres://") {
		return "pgx", url
	}
	return "sqlite", "file:" + url + "?_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)"
}

// Open opens a database.
func Open(url string) (*sql.DB, error) { return sql.Open(source(url)) }

// Fill executes the statements that make the tables.
func Fill(ctx context.Context, d *sql.DB, setup []string) error {
	for _, s := range setup {
		if _, err := d.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("execute %s: %w", s, err)
		}
	}
	return nil
}
