package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

type version struct {
	tag  string
	data []byte
}

type page struct {
	first    int
	versions []version
}

type store struct {
	mu    sync.Mutex
	keep  int
	pages map[string]*page
}

// numbered writes the text with line numbers into a buffer that belongs to the version.
func numbered(text []byte) version {
	var out bytes.Buffer
	out.Grow(len(text) + bytes.Count(text, []byte("\n"))*6 + 6)
	n := 0
	for line := range bytes.Lines(text) {
		n++
		num := strconv.AppendInt(out.AvailableBuffer(), int64(n), 10)
		out.Write(append(num, ": "...))
		out.Write(line)
	}
	sum := crc32.ChecksumIEEE(out.Bytes())
	return version{tag: strconv.FormatUint(uint64(sum), 16), data: out.Bytes()}
}

func (s *store) save(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	v := numbered(text)
	s.mu.Lock()
	p := s.pages[r.PathValue("name")]
	if p == nil {
		p = &page{}
		s.pages[r.PathValue("name")] = p
	}
	p.versions = append(p.versions, v)
	if len(p.versions) > s.keep {
		p.versions = slices.Delete(p.versions, 0, 1)
		p.first++
	}
	s.mu.Unlock()
	w.Header().Set("ETag", `"`+v.tag+`"`)
	fmt.Fprintf(w, "%d bytes\n", len(v.data))
}

func (s *store) load(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("n"))
	s.mu.Lock()
	p := s.pages[r.PathValue("name")]
	var data []byte
	if err == nil && p != nil && n >= p.first && n-p.first < len(p.versions) {
		data = p.versions[n-p.first].data
	}
	s.mu.Unlock()
	if data == nil {
		http.NotFound(w, r)
		return
	}
	w.Write(data)
}
