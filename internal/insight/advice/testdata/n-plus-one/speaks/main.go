// Command speaks lists the trips of a bus line, and asks for the driver of each.
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
	if strings.Contains(statement, "FROM trips") {
		return database.Answer{Takes: 400 * time.Microsecond, Rows: 12}
	}
	return database.Answer{Takes: 250 * time.Microsecond, Rows: 1}
}

type roster struct{ db *sql.DB }

// at answers for one trip; that it is asked in a loop does not show here.
func (r *roster) at(trip int) (driver int, err error) {
	err = r.db.QueryRow("SELECT driver FROM duties WHERE trip = $1", trip).Scan(&driver) // want: n-plus-one
	return driver, err
}

func (r *roster) trips(line string) (all []int, err error) {
	rows, err := r.db.Query("SELECT id FROM trips WHERE line = $1", line)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		all = append(all, id)
	}
	return all, rows.Err()
}

func (r *roster) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	trips, err := r.trips(q.URL.Path)
	for _, trip := range trips {
		var driver int
		if driver, err = r.at(trip); err != nil {
			break
		}
		fmt.Fprintln(w, trip, driver)
	}
	if err != nil {
		log.Print(err)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	log.Fatal(http.ListenAndServe(*addr, &roster{database.Open(answer)}))
}
