package visits

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"sync"

	"github.com/sirupsen/logrus"
)

// counterFprintf prints the page straight into the answer. That reads better, and saves the
// copy that a concatenation makes, but the format is parsed each time and each argument
// is boxed.
//
// A CPU profile shows fmt.Fprintf instead of concat.
type counterFprintf struct {
	mu    sync.Mutex
	names names
	log   *logrus.Logger
}

func newFprintf(cfg Config) http.Handler {
	return &counterFprintf{names: newNames(cfg), log: newLogrus(cfg)}
}

func (c *counterFprintf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name, color, ok := nameAndColor(w, r)
	if !ok {
		return
	}
	count := c.names.visit(name)
	c.log.WithFields(logrus.Fields{"name": name, "color": color, "visits": count}).Info("visit")
	w.Header().Set("Content-Type", contentType)
	var page bytes.Buffer
	fmt.Fprintf(&page, pageStart+"%s", html.EscapeString(color))
	fmt.Fprintf(&page, pageName+"%s", html.EscapeString(name))
	fmt.Fprintf(&page, pageCount+"%d"+pageEnd, count)
	w.Write(page.Bytes())
}
