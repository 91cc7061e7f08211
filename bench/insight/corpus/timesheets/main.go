// Command timesheets prints the working hours of people as tables.
package main

import (
	"bufio"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/gorilla/mux"
)

func main() {
	people := staff(12)
	r := mux.NewRouter()
	r.HandleFunc("/sheets/{n:[0-9]+}", func(w http.ResponseWriter, req *http.Request) {
		n, _ := strconv.Atoi(mux.Vars(req)["n"])
		if n >= len(people) {
			http.NotFound(w, req)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		out := bufio.NewWriter(w)
		people[n].write(out)
		if err := out.Flush(); err != nil {
			log.Print(err)
		}
	}).Methods(http.MethodGet)
	addr := "127.0.0.1:8080"
	if p, ok := os.LookupEnv("PORT"); ok {
		addr = net.JoinHostPort("127.0.0.1", p)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		slog.Error("listen", "addr", addr, "err", err)
		os.Exit(1)
	}
	hs := http.Server{Handler: r}
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, syscall.SIGTERM)
	go func() {
		<-sigs
		_ = hs.Close()
	}()
	slog.Info("ready", "addr", l.Addr().String())
	_ = hs.Serve(l)
}
