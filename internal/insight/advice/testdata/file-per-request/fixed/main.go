// Command fixed takes payments and answers each when it is in the journal.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync"
)

type payment struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Cents int64  `json:"cents"`
}

// journal is a file with a line for each payment.
type journal struct {
	file  *os.File
	lines chan entry
}

type entry struct {
	line []byte
	kept chan<- error
}

func (j *journal) append(line []byte) error {
	kept := make(chan error, 1)
	j.lines <- entry{line, kept}
	return <-kept
}

// keep writes what has come meanwhile, all of it with one call to the disk.
func (j *journal) keep() {
	var text []byte
	var waiting []chan<- error
	for e := range j.lines {
		text, waiting = append(text[:0], e.line...), append(waiting[:0], e.kept)
		for more := true; more; {
			select {
			case e := <-j.lines:
				text, waiting = append(text, e.line...), append(waiting, e.kept)
			default:
				more = false
			}
		}
		_, err := j.file.Write(text)
		if err == nil {
			err = j.file.Sync()
		}
		for _, w := range waiting {
			w <- err
		}
	}
}

type bank struct {
	journal  *journal
	mu       sync.Mutex
	accounts map[string]int64
}

func (b *bank) move(p payment) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.accounts[p.From] -= p.Cents
	b.accounts[p.To] += p.Cents
	return b.accounts[p.To]
}

func (b *bank) pay(w http.ResponseWriter, r *http.Request) {
	var p payment
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	line, err := json.Marshal(p)
	if err == nil {
		err = b.journal.append(append(line, '\n'))
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintf(w, "booked: %t\n", b.move(p) > 0)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	dir := flag.String("dir", ".", "`directory` of the journal")
	flag.Parse()
	f, err := os.OpenFile(filepath.Join(*dir, "journal.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		log.Fatal(err)
	}
	b := &bank{journal: &journal{file: f, lines: make(chan entry)}, accounts: map[string]int64{}}
	go b.journal.keep()
	http.HandleFunc("POST /payments", b.pay)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
