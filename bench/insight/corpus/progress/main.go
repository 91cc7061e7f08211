// Command progress shows how jobs advance, as server-sent events.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
)

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /jobs/{id}/events", events)
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

type event struct {
	Step    int     `json:"step"`
	Percent float64 `json:"percent"`
	Digest  string  `json:"digest"`
}

// job hashes its data in steps.
type job struct {
	data  []byte
	steps int
	sum   [32]byte
}

func (j *job) step(i int) event {
	size := len(j.data) / j.steps
	part := sha256.Sum256(j.data[i*size : (i+1)*size])
	for k := range j.sum {
		j.sum[k] ^= part[k]
	}
	return event{Step: i + 1, Percent: float64(i+1) / float64(j.steps) * 100, Digest: hex.EncodeToString(j.sum[:4])}
}

func events(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		http.Error(w, "bad id", http.StatusBadRequest)
		return
	}
	flusher, ok := w.(http.Flusher)
	if !ok {
		http.Error(w, "streaming is not possible", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	j := &job{data: bytes.Repeat([]byte{byte(id)}, 64<<10), steps: 10}
	enc := json.NewEncoder(w)
	for i := range j.steps {
		if r.Context().Err() != nil {
			return
		}
		e := j.step(i) // in a real job this takes seconds
		fmt.Fprintf(w, "id: %d\ndata: ", e.Step)
		if err := enc.Encode(e); err != nil {
			return
		}
		io.WriteString(w, "\n")
		flusher.Flush()
	}
}
