// Command silent lists the trips of a bus line with their drivers by one statement. A request makes several statements, each
// of them once or twice; what calls one statement for each row runs beside the requests.
package main

import (
	"database/sql"
	"flag"
	"fmt"
	"log"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/internal/insight/advice/testdata/database"
)

func answer(statement string) database.Answer {
	if strings.Contains(statement, "JOIN duties") {
		return database.Answer{Takes: 600 * time.Microsecond, Rows: 12}
	}
	return database.Answer{Takes: 250 * time.Microsecond, Rows: 1}
}

type roster struct {
	db      *sql.DB
	delayed atomic.Int64
}

func (r *roster) one(statement string, of any) (n int, err error) {
	err = r.db.QueryRow(statement, of).Scan(&n)
	return n, err
}

func (r *roster) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	for _, statement := range []string{"SELECT operator FROM lines WHERE name = $1", "SELECT depot FROM lines WHERE name = $1", "SELECT fare FROM fares WHERE line = $1",
		"SELECT count(*) FROM closures WHERE line = $1", "SELECT max(at) FROM changes WHERE line = $1"} {
		if n, err := r.one(statement, q.URL.Path); err == nil {
			fmt.Fprintln(w, n)
		}
	}
	rows, err := r.db.Query("SELECT t.id FROM trips t JOIN duties d ON d.trip = t.id WHERE t.line = $1", q.URL.Path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err == nil {
			fmt.Fprintln(w, id, r.delayed.Load())
		}
	}
}

// watch looks at all trips now and then.
func (r *roster) watch() {
	for range time.Tick(5 * time.Millisecond) {
		for trip := range 20 {
			if n, err := r.one("SELECT delay FROM trips WHERE id = $1", trip); err == nil {
				r.delayed.Store(int64(n))
			}
		}
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	r := &roster{db: database.Open(answer)}
	go r.watch()
	log.Fatal(http.ListenAndServe(*addr, r))
}
