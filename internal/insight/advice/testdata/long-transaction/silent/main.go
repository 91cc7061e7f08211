// Command silent sells a thing: the terminal has the money before the transaction begins, and the thing is looked at in
// it before anything is written. After the write it only makes the receipt.
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/gohone/hone/internal/insight/advice/testdata/database"
)

func answer(string) database.Answer { return database.Answer{Rows: 1} }

type tills struct{ db *sql.DB }

// charge asks the terminal.
func charge() { time.Sleep(4 * time.Millisecond) }

// scan looks at the thing.
func scan() { time.Sleep(2 * time.Millisecond) }

func receipt() string { return strings.Repeat("thanks ", 400) }

func (s *tills) sell(ctx context.Context) error {
	charge()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT n FROM stock WHERE id = $1", 7).Scan(&n); err != nil {
		return err
	}
	scan()
	for _, statement := range []string{"UPDATE stock SET n = $1", "INSERT INTO sales VALUES ($1)", "UPDATE tills SET n = $1"} {
		if _, err := tx.ExecContext(ctx, statement, n+len(receipt())); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (s *tills) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := s.sell(r.Context()); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, "sold")
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	log.Fatal(http.ListenAndServe(*addr, &tills{database.Open(answer)}))
}
