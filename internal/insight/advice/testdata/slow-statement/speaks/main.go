// Command speaks finds the readings of a meter, by a statement that looks at all of them.
package main

import (
	"database/sql"
	"flag"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/gohone/hone/internal/insight/advice/testdata/database"
)

func answer(statement string) database.Answer {
	if strings.Contains(statement, "FROM readings") {
		return database.Answer{Takes: 6 * time.Millisecond, Rows: 3}
	}
	return database.Answer{Takes: 200 * time.Microsecond, Rows: 1}
}

type meters struct{ db *sql.DB }

func (m *meters) latest(meter string) (sum int, err error) {
	rows, err := m.db.Query("SELECT value FROM readings WHERE lower(meter) = $1 ORDER BY at DESC LIMIT 3", meter) // want: slow-statement
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, rows.Err()
}

func (m *meters) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var owner int
	err := m.db.QueryRow("SELECT owner FROM meters WHERE name = $1", r.URL.Path).Scan(&owner)
	sum := 0
	if err == nil {
		sum, err = m.latest(r.URL.Path)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, owner, sum)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	log.Fatal(http.ListenAndServe(*addr, &meters{database.Open(answer)}))
}
