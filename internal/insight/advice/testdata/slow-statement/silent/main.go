// Command silent finds the readings of a meter by an index. Its statements take most of a request, and each of them is quick; what is
// slow now and then is the checking of a reading.
package main

import (
	"database/sql"
	"flag"
	"fmt"
	"log"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/internal/insight/advice/testdata/database"
)

func answer(string) database.Answer {
	return database.Answer{Takes: 300 * time.Microsecond, Rows: 1}
}

type meters struct {
	db     *sql.DB
	served atomic.Int64
}

func (m *meters) check() {
	if m.served.Add(1)%50 == 0 {
		time.Sleep(15 * time.Millisecond)
	}
}

func (m *meters) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var owner, value int
	err := m.db.QueryRow("SELECT owner FROM meters WHERE name = $1", r.URL.Path).Scan(&owner)
	if err == nil {
		err = m.db.QueryRow("SELECT value FROM latest WHERE meter = $1", r.URL.Path).Scan(&value)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	m.check()
	fmt.Fprintln(w, owner, value)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	log.Fatal(http.ListenAndServe(*addr, &meters{db: database.Open(answer)}))
}
