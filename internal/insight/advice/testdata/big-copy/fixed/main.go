// Command fixed ranks the players of a game by their last rounds.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"strconv"

	"github.com/gohone/hone/internal/insight/advice/testdata/big-copy/fixed/league"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	l := league.New(120)
	http.HandleFunc("GET /best", func(w http.ResponseWriter, r *http.Request) {
		rounds, err := strconv.Atoi(r.URL.Query().Get("rounds"))
		if err != nil || rounds < 1 || rounds > league.Rounds {
			http.Error(w, "rounds: how many count", http.StatusBadRequest)
			return
		}
		name, score := l.Best(rounds)
		fmt.Fprintf(w, "%s %d, %d above the mean\n", name, score, score-l.Mean(rounds))
	})
	log.Fatal(http.ListenAndServe(*addr, nil))
}
