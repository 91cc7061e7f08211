package visits

import (
	"io"
	"net/http"
	"sync"
)

// counterHeader gives all answers the same slice for a header, which nothing appends to
// in place: http.Header.Add copies, since the slice is full.
type counterHeader struct {
	contentType []string
	mu          sync.Mutex
	count       map[string]int
	log         io.Writer
}

func newHeader(log io.Writer) http.Handler {
	return &counterHeader{contentType: []string{contentType}, count: map[string]int{}, log: log}
}

func (c *counterHeader) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	c.log.Write(marshalled(name, color, c.count[name]))
	w.Header()["Content-Type"] = c.contentType
	w.Write([]byte(concat(name, color, c.count[name])))
}
