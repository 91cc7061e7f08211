// Command uploads imports records as a stream of JSON values.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	im := &importer{limit: 10_000}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /import", im.serve)
	ln, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: mux}
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

type record struct {
	Key   string   `json:"key"`
	Value float64  `json:"value"`
	Tags  []string `json:"tags"`
}

type importer struct{ limit int }

type totals struct {
	Records int                `json:"records"`
	Sum     float64            `json:"sum"`
	ByTag   map[string]float64 `json:"by_tag"`
}

// read decodes the records of one stream, one after another.
func (im *importer) read(r io.Reader) (*totals, error) {
	t := &totals{ByTag: map[string]float64{}}
	dec := json.NewDecoder(r)
	dec.DisallowUnknownFields()
	for {
		var rec record
		err := dec.Decode(&rec)
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", t.Records+1, err)
		}
		if t.Records++; t.Records > im.limit {
			return nil, errors.New("too many records")
		}
		t.Sum += rec.Value
		for _, tag := range rec.Tags {
			t.ByTag[tag] += rec.Value
		}
	}
}

func (im *importer) serve(w http.ResponseWriter, r *http.Request) {
	t, err := im.read(http.MaxBytesReader(w, r.Body, 16<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	t.Sum = math.Round(t.Sum*100) / 100
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(t)
}
