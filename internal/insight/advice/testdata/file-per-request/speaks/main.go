// Command speaks takes payments and answers each when it is in the journal.
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
	path string
	mu   sync.Mutex
}

func (j *journal) append(line []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	f, err := os.OpenFile(j.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) // want: file-per-request
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(line); err != nil {
		return err
	}
	return f.Sync() // want: file-per-request
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
		err = b.journal.append(append(line, '\n')) // want: file-per-request
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
	b := &bank{journal: &journal{path: filepath.Join(*dir, "journal.jsonl")}, accounts: map[string]int64{}}
	http.HandleFunc("POST /payments", b.pay)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
