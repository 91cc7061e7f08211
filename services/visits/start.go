package visits

import (
	"net/http"
	"sync"

	"github.com/sirupsen/logrus"
)

// counterStart is written without a thought of cost.
//
// A CPU profile is dominated by logrus and the encoding of its fields; an allocs profile
// names both, and net/url.ParseQuery.
type counterStart struct {
	mu    sync.Mutex
	names names
	log   *logrus.Logger
}

func newStart(cfg Config) http.Handler {
	return &counterStart{names: newNames(cfg), log: newLogrus(cfg)}
}

// newLogrus returns a logger that writes one line of JSON at a time.
func newLogrus(cfg Config) *logrus.Logger {
	log := logrus.New()
	log.SetOutput(cfg.Log)
	log.SetFormatter(&logrus.JSONFormatter{})
	return log
}

func (c *counterStart) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name, color, ok := nameAndColor(w, r)
	if !ok {
		return
	}
	count := c.names.visit(name)
	c.log.WithFields(logrus.Fields{"name": name, "color": color, "visits": count}).Info("visit")
	w.Header().Set("Content-Type", contentType)
	w.Write([]byte(concat(name, color, count)))
}
