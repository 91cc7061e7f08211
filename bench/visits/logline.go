package visits

import (
	"io"
	"net/http"
	"sync"
)

// counterLogline appends its log line to one buffer, which the mutex guards.
type counterLogline struct {
	contentType []string
	mu          sync.Mutex
	count       map[string]int
	line        []byte
	log         io.Writer
}

func newLogline(log io.Writer) http.Handler {
	return &counterLogline{contentType: []string{contentType}, count: map[string]int{}, log: log}
}

func (c *counterLogline) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !reads(w, r) {
		return
	}
	name, color := asked(r)
	if !isColor(color) {
		refuse(w, http.StatusBadRequest, colorMessage)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count[name]++
	c.line = appendLogline(c.line[:0], name, color, c.count[name])
	c.log.Write(c.line)
	w.Header()["Content-Type"] = c.contentType
	w.Write([]byte(concat(name, color, c.count[name])))
}
