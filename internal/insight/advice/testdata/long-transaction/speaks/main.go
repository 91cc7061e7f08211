// Command speaks sells a thing: it takes it from the stock, and asks the terminal for the money before it commits.
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/gohone/hone/internal/insight/advice/testdata/database"
)

func answer(string) database.Answer { return database.Answer{Rows: 1} }

type tills struct{ db *sql.DB }

// charge asks the terminal.
func charge() { time.Sleep(4 * time.Millisecond) }

func (s *tills) sell(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE stock SET n = n - 1 WHERE id = $1", 7); err != nil {
		return err
	}
	charge() // want: long-transaction
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
