package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"corpus/truth"

	"github.com/go-chi/chi/v5"
)

type entry struct {
	Cents int    `json:"cents"`
	For   string `json:"for"`
}

type till struct {
	mu      sync.Mutex
	entries []entry
	sum     int
}

type book struct {
	dir   string
	slips []byte // the scanned slips that go with each closing

	mu    sync.Mutex
	tills map[string]*till
}

func newBook(dir string) *book {
	return &book{dir: dir, tills: map[string]*till{}, slips: bytes.Repeat([]byte("slip of paper, scanned\n"), 20_000)}
}

func (b *book) till(name string) *till {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.tills[name]
	if t == nil {
		t = &till{}
		b.tills[name] = t
	}
	return t
}

func (b *book) enter(w http.ResponseWriter, r *http.Request) {
	t := truth.Begin()
	defer t.End()
	var e entry
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	k := b.till(chi.URLParam(r, "till"))
	k.mu.Lock()
	if len(k.entries) == 500 {
		k.entries = k.entries[:0]
	}
	k.entries = append(k.entries, e)
	k.sum += e.Cents
	n := len(k.entries)
	k.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"entries":%d}`, n)
}

func (b *book) close(w http.ResponseWriter, r *http.Request) {
	t := truth.Begin()
	defer t.End()
	name := filepath.Base(chi.URLParam(r, "till"))
	k := b.till(name)
	k.mu.Lock()
	text, err := json.Marshal(k.entries)
	k.entries = nil
	k.mu.Unlock()
	seal := sha256.Sum256(text)
	for _, page := range []struct {
		kind string
		data []byte
	}{{"entries", text}, {"slips", b.slips}, {"seal", seal[:]}} {
		if err == nil {
			err = b.file(t, name+"."+page.kind, page.data)
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintf(w, `{"closed":"%x"}`, seal)
}

// file writes a page so that it survives a power cut.
func (b *book) file(t *truth.Request, name string, data []byte) error {
	opened := t.Part("create")
	f, err := os.Create(filepath.Join(b.dir, name))
	opened()
	if err != nil {
		return err
	}
	defer f.Close()
	written := t.Part("write")
	_, err = f.Write(data)
	written()
	if err != nil {
		return err
	}
	safe := t.Part("sync")
	err = f.Sync()
	safe()
	return err
}
