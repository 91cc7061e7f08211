package visits

import (
	"io"
	"net/http"
	"regexp"
	"sync"
)

// counterRegexp is written without a thought of cost.
type counterRegexp struct {
	mu    sync.Mutex
	count map[string]int
	log   io.Writer
}

func newRegexp(log io.Writer) http.Handler {
	return &counterRegexp{count: map[string]int{}, log: log}
}

func (c *counterRegexp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !reads(w, r) {
		return
	}
	name, color := asked(r)
	if ok, _ := regexp.MatchString(`^\w*$`, color); !ok { // the expression is a constant that compiles
		refuse(w, http.StatusBadRequest, colorMessage)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count[name]++
	c.log.Write(marshalled(name, color, c.count[name])) // a log that fails must not fail the visit
	w.Header().Set("Content-Type", contentType)
	w.Write([]byte(concat(name, color, c.count[name])))
}
