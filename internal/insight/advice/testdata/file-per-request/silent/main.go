// Command silent takes payments and keeps its accounts in memory. Once a second it
// writes them to a file, beside the requests.
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
	"time"
)

type payment struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Cents int64  `json:"cents"`
}

type bank struct {
	path     string
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

// keep writes all accounts.
func (b *bank) keep() error {
	b.mu.Lock()
	text, err := json.Marshal(b.accounts)
	b.mu.Unlock()
	if err != nil {
		return err
	}
	f, err := os.Create(b.path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		return err
	}
	return f.Sync()
}

func (b *bank) pay(w http.ResponseWriter, r *http.Request) {
	var p payment
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "booked: %t\n", b.move(p) > 0)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	dir := flag.String("dir", ".", "`directory` of the journal")
	flag.Parse()
	b := &bank{path: filepath.Join(*dir, "accounts.json"), accounts: map[string]int64{}}
	go func() {
		for range time.Tick(time.Second) {
			if err := b.keep(); err != nil {
				log.Print(err)
			}
		}
	}()
	http.HandleFunc("POST /payments", b.pay)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
