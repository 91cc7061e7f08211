package visits

import (
	"io"
	"net/http"
	"strings"
	"sync"
)

// counterQuery reads a plain query where it lies, in place of parsing it into a map.
type counterQuery struct {
	contentType []string
	pages       sync.Pool // of *[]byte
	mu          sync.Mutex
	count       map[string]int
	line        []byte
	log         io.Writer
}

func newQuery(log io.Writer) http.Handler {
	return &counterQuery{contentType: []string{contentType}, pages: pagePool(), count: map[string]int{}, log: log}
}

// askedInPlace returns what asked does. A query with escapes, or with semicolons, which
// net/url refuses, takes the long way.
func askedInPlace(r *http.Request) (name, color string) {
	rest := r.URL.RawQuery
	if strings.ContainsAny(rest, "%+;") {
		return asked(r)
	}
	var gotName, gotColor bool // the first of several counts, also if it is empty
	for rest != "" {
		var field string
		field, rest, _ = strings.Cut(rest, "&")
		switch key, value, _ := strings.Cut(field, "="); {
		case key == "name" && !gotName:
			name, gotName = value, true
		case key == "color" && !gotColor:
			color, gotColor = value, true
		}
	}
	return orDefault(name, defaultName), orDefault(color, defaultColor)
}

func (c *counterQuery) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !reads(w, r) {
		return
	}
	name, color := askedInPlace(r)
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
