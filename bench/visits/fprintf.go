package visits

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"net/http"
	"sync"
)

// counterFprintf prints the answer: easier to read, and slower, since the format is
// parsed, each argument is boxed, and the buffer it goes to grows anew each time.
type counterFprintf struct {
	contentType []string
	mu          sync.Mutex
	count       map[string]int
	line        []byte
	log         io.Writer
}

func newFprintf(log io.Writer) http.Handler {
	return &counterFprintf{contentType: []string{contentType}, count: map[string]int{}, log: log}
}

func (c *counterFprintf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	var page bytes.Buffer
	fmt.Fprintf(&page, "<h1 style='color: %s'>Welcome, %s!</h1>", html.EscapeString(color), html.EscapeString(name))
	fmt.Fprintf(&page, "You are visit number %d.\n", c.count[name])
	w.Write(page.Bytes())
}
