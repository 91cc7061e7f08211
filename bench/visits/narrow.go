package visits

import (
	"io"
	"net/http"
	"sync"
)

// counterNarrow holds a mutex for the count only. Line and page share a pooled buffer,
// and only the write to the log waits for other visits.
type counterNarrow struct {
	contentType []string
	buffers     sync.Pool // of *[]byte
	mu          sync.Mutex
	count       map[string]int
	logMu       sync.Mutex
	log         io.Writer
}

func newNarrow(log io.Writer) http.Handler {
	return &counterNarrow{contentType: []string{contentType}, buffers: pagePool(), count: map[string]int{}, log: log}
}

func (c *counterNarrow) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !reads(w, r) {
		return
	}
	name, color := askedInPlace(r)
	if !isColor(color) {
		refuse(w, http.StatusBadRequest, colorMessage)
		return
	}
	count := c.visit(name)
	buffer := c.buffers.Get().(*[]byte)
	*buffer = appendLogline((*buffer)[:0], name, color, count)
	c.logMu.Lock()
	c.log.Write(*buffer)
	c.logMu.Unlock()
	w.Header()["Content-Type"] = c.contentType
	*buffer = appendPage((*buffer)[:0], name, color, count)
	w.Write(*buffer)
	if cap(*buffer) <= maxPooled {
		c.buffers.Put(buffer)
	}
}

func (c *counterNarrow) visit(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count[name]++
	return c.count[name]
}
