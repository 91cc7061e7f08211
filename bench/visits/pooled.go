package visits

import (
	"io"
	"net/http"
	"sync"
)

// counterPooled appends the answer to a buffer from a pool.
type counterPooled struct {
	contentType []string
	pages       sync.Pool // of *[]byte
	mu          sync.Mutex
	count       map[string]int
	line        []byte
	log         io.Writer
}

func newPooled(log io.Writer) http.Handler {
	return &counterPooled{contentType: []string{contentType}, pages: pagePool(), count: map[string]int{}, log: log}
}

// maxPooled bounds the buffers that are kept, in bytes: a request line can be 1 MB, and
// one such visit must not hold that memory for good.
const maxPooled = 4 << 10

func pagePool() sync.Pool { return sync.Pool{New: func() any { return new([]byte) }} }

func (c *counterPooled) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	page := c.pages.Get().(*[]byte)
	*page = appendPage((*page)[:0], name, color, c.count[name])
	w.Write(*page)
	if cap(*page) <= maxPooled {
		c.pages.Put(page)
	}
}
