package main

import (
	"net/http"
	"strconv"
	"sync"
)

type library struct {
	mu    sync.RWMutex
	files map[string]*bundle
}

func newLibrary() *library { return &library{files: map[string]*bundle{}} }

func (l *library) add(path, mime, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.files[path] = &bundle{name: path, mime: mime, text: []byte(text)}
}

func (l *library) find(path string) (*bundle, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	b, ok := l.files[path]
	return b, ok
}

func (l *library) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, ok := l.find(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	tag := b.tag()
	h := w.Header()
	h.Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	content := b.bytes()
	h.Set("Content-Type", b.mime)
	h.Set("Content-Length", strconv.Itoa(len(content)))
	if r.Method == http.MethodHead {
		return
	}
	w.Write(content)
}
