// Command tides serves the records of tide gauges.
package main

import (
	"cmp"
	"context"
	"corpus/tides/gauge"
	"encoding/json"
	"errors"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/gorilla/mux"
)

func main() {
	dir, err := os.MkdirTemp("", "tides")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for i, name := range []string{"harbor", "island"} {
		if err := gauge.Write(filepath.Join(dir, name), 4000, float64(i+1)); err != nil {
			log.Fatal(err)
		}
	}
	r := mux.NewRouter()
	r.HandleFunc("/gauges/{name:[a-z]+}", func(w http.ResponseWriter, req *http.Request) {
		from, err1 := strconv.Atoi(req.FormValue("from"))
		n, err2 := strconv.Atoi(req.FormValue("n"))
		if err := errors.Join(err1, err2); err != nil || n < 1 || n > 1000 || from < 0 {
			http.Error(w, "from and n are numbers", http.StatusBadRequest)
			return
		}
		records, err := gauge.Read(filepath.Join(dir, mux.Vars(req)["name"]), from, n)
		if errors.Is(err, fs.ErrNotExist) {
			http.NotFound(w, req)
			return
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"records": records, "high": gauge.High(records)})
	}).Methods(http.MethodGet)
	ln, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: r}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	go func() {
		<-ctx.Done()
		srv.Close()
	}()
	if err := srv.Serve(ln); err != http.ErrServerClosed {
		log.Fatal(err)
	}
}
