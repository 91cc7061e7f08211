package visits

import (
	"io"
	"net/http"
	"regexp"
	"sync"
)

// counterRegexpOnce compiles the regular expression when it is made.
type counterRegexpOnce struct {
	color *regexp.Regexp
	mu    sync.Mutex
	count map[string]int
	log   io.Writer
}

func newRegexpOnce(log io.Writer) http.Handler {
	return &counterRegexpOnce{color: regexp.MustCompile(`^\w*$`), count: map[string]int{}, log: log}
}

func (c *counterRegexpOnce) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !reads(w, r) {
		return
	}
	name, color := asked(r)
	if !c.color.MatchString(color) {
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
