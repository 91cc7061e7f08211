// Command visitors serves articles and logs who read them.
package main

import (
	"corpus/visitors/accesslog"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-chi/chi/v5"
)

func main() {
	dir, err := os.MkdirTemp("", "visitors")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	logs, err := accesslog.Open(filepath.Join(dir, "access.log"))
	if err != nil {
		log.Fatal(err)
	}
	defer logs.Close()
	r := chi.NewRouter()
	r.Use(logs.Middleware)
	r.Get("/articles/{id}", article)
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

var paragraph = strings.Repeat("The river rose again this week, and the old bridge was closed for two days. ", 6)

func article(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(chi.URLParam(r, "id"))
	if err != nil {
		http.Error(w, "bad id", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<h1>Article %d</h1>", id)
	for i := range 6 + id {
		fmt.Fprintf(w, "<p id=p%d>%s</p>\n", i, paragraph)
	}
}
