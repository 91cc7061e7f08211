package visits

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"sync"

	"github.com/sirupsen/logrus"
)

// counterPooled writes the page into a buffer from a pool.
//
// An allocs profile no longer names what makes the page, but for its number.
type counterPooled struct {
	mu      sync.Mutex
	names   names
	buffers sync.Pool // of *bytes.Buffer
	log     *logrus.Logger
}

func newPooled(cfg Config) http.Handler {
	return &counterPooled{names: newNames(cfg), buffers: bufferPool(), log: newLogrus(cfg)}
}

// bufferPool needs no bound on the size of what is put back: a page and a line of the log
// are bounded by the bound on names.
func bufferPool() sync.Pool { return sync.Pool{New: func() any { return new(bytes.Buffer) }} }

func (c *counterPooled) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name, color, ok := nameAndColor(w, r)
	if !ok {
		return
	}
	count := c.names.visit(name)
	c.log.WithFields(logrus.Fields{"name": name, "color": color, "visits": count}).Info("visit")
	w.Header().Set("Content-Type", contentType)
	page := c.buffers.Get().(*bytes.Buffer)
	page.Reset()
	writePage(page, name, color, count)
	w.Write(page.Bytes())
	c.buffers.Put(page)
}

func writePage(page *bytes.Buffer, name, color string, count int) {
	page.WriteString(pageStart)
	page.WriteString(html.EscapeString(color))
	page.WriteString(pageName)
	page.WriteString(html.EscapeString(name))
	page.WriteString(pageCount)
	page.WriteString(fmt.Sprint(count))
	page.WriteString(pageEnd)
}
