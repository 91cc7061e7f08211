// Command sudokus checks the guesses of players and grades new puzzles meanwhile.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"corpus/truth"
)

type verdict struct {
	Right bool  `json:"right"`
	Open  int   `json:"open"`
	Bad   []int `json:"bad"`
}

func check(w http.ResponseWriter, r *http.Request) {
	t := truth.Begin()
	defer t.End()
	g, ok := parse(r.PathValue("grid"))
	if !ok {
		http.Error(w, "a grid has 81 digits", http.StatusBadRequest)
		return
	}
	v := verdict{Right: true, Bad: []int{}}
	for i, d := range g {
		if d == 0 {
			v.Open++
			continue
		}
		g[i] = 0
		if g.free(i)&(1<<d) == 0 {
			v.Right = false
			v.Bad = append(v.Bad, i)
		}
		g[i] = d
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go gradeAll(ctx, 500*time.Millisecond)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /check/{grid}", check)
	srv := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: mux}
	go func() {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		srv.Shutdown(last)
	}()
	if err := srv.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}
