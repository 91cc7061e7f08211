// Command pensioners tells who draws a pension.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"corpus/pensioners/register"
	"corpus/truth"
)

type desk struct{ db *sql.DB }

type person struct {
	Number string `json:"number"`
	Name   string `json:"name"`
	Cents  int64  `json:"cents"`
	Since  int64  `json:"since"`
	Yearly int64  `json:"yearly"`
}

func main() {
	addr, err := register.Serve()
	if err != nil {
		log.Fatal(err)
	}
	db, err := sql.Open("register", addr)
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxIdleConns(32)
	mux := http.NewServeMux()
	mux.Handle("GET /pensions/{number}", &desk{db})
	srv := http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: mux}
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	go func() {
		<-term
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		srv.Shutdown(ctx)
	}()
	if err := srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
	if err := truth.Save(); err != nil {
		log.Fatal(err)
	}
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t := truth.Begin()
	defer t.End()
	p := person{Number: r.PathValue("number")}
	found := t.Part("register")
	err := d.db.QueryRowContext(r.Context(), "pension", p.Number).Scan(&p.Name, &p.Cents, &p.Since)
	found()
	switch {
	case errors.Is(err, sql.ErrNoRows):
		http.Error(w, "no pension", http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	p.Yearly = p.Cents * 12
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(p)
}
