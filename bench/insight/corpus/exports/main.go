// Command exports serves a shop's tables as CSV files.
package main

import (
	"cmp"
	"compress/gzip"
	"context"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	tables := map[string]*table{"orders": orders(900, "ORD"), "returns": orders(500, "RET")}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /export/{table}", func(w http.ResponseWriter, r *http.Request) {
		t, ok := tables[r.PathValue("table")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/csv")
		if err := t.writeCSV(w); err != nil {
			log.Print(err)
		}
	})
	handler := newCompressor(gzip.DefaultCompression).wrap(mux)
	ln, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: handler}
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
