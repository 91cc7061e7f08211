// Command speaks filters a log that is posted to it, and answers how much of it is about errors.
package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	"flag"
)

type digest struct {
	lines, faults int
	sum           uint32
}

// fault says whether a line is about an error.
func fault(line string) bool {
	return strings.HasPrefix(line, "E ") || strings.Contains(line, "level=error")
}

func (d *digest) add(raw []byte) {
	line := string(bytes.TrimSpace(raw)) // want: string-conversion
	d.lines++
	if !fault(line) {
		return
	}
	d.faults++
	d.sum = crc32.Update(d.sum, crc32.IEEETable, []byte(line)) // want: string-conversion
}

func read(text []byte) (d digest) {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		d.add(line)
		text = rest
	}
	return d
}

func filter(w http.ResponseWriter, r *http.Request) {
	text := make([]byte, r.ContentLength)
	if _, err := io.ReadFull(r.Body, text); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	d := read(text)
	fmt.Fprintf(w, "%d lines, %d about errors, %08x\n", d.lines, d.faults, d.sum)
}

func main() {
	flags := flag.NewFlagSet("filter", flag.ExitOnError)
	addr := flags.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	_ = flags.Parse(os.Args[1:]) // exits on its own
	http.HandleFunc("POST /filter", filter)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
