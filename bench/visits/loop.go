package visits

import (
	"io"
	"net/http"
	"sync"
)

// counterLoop checks the color with a loop.
type counterLoop struct {
	mu    sync.Mutex
	count map[string]int
	log   io.Writer
}

func newLoop(log io.Writer) http.Handler {
	return &counterLoop{count: map[string]int{}, log: log}
}

func (c *counterLoop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	w.Header().Set("Content-Type", contentType)
	w.Write([]byte(concat(name, color, c.count[name])))
}
