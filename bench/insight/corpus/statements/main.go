// Command statements prints the statements of bank accounts for a line printer.
package main

import (
	"corpus/statements/layout"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

type bank struct{ accounts map[int][]layout.Posting }

func newBank(n int) *bank {
	b := &bank{accounts: map[int][]layout.Posting{}}
	for id := range n {
		var ps []layout.Posting
		for k := range 36 {
			ps = append(ps, layout.Posting{Day: time.Date(2026, 1, 1+k, 0, 0, 0, 0, time.UTC), Text: fmt.Sprintf("Transfer %d to %d", k, id), Cents: int64((k*7919)%20000 - 9000)})
		}
		b.accounts[id] = ps
	}
	return b
}

func (b *bank) statement(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		http.Error(w, "bad account", http.StatusBadRequest)
		return
	}
	postings, ok := b.accounts[id]
	if !ok {
		http.NotFound(w, r)
		return
	}
	text := layout.Statement(r.PathValue("id"), postings)
	sum := crc32.ChecksumIEEE([]byte(text))
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("ETag", fmt.Sprintf("%q", strconv.FormatUint(uint64(sum), 16)))
	io.WriteString(w, text)
}

func main() {
	b := newBank(20)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /accounts/{id}/statement", b.statement)
	addr := "127.0.0.1:8080"
	if p, ok := os.LookupEnv("PORT"); ok {
		addr = net.JoinHostPort("127.0.0.1", p)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		slog.Error("listen", "addr", addr, "err", err)
		os.Exit(1)
	}
	hs := http.Server{Handler: mux}
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, syscall.SIGTERM)
	go func() {
		<-sigs
		_ = hs.Close()
	}()
	slog.Info("ready", "addr", l.Addr().String())
	_ = hs.Serve(l)
}
