package visits

import (
	"net/http"
	"sync"

	"github.com/rs/zerolog"
)

// counterFinal holds the mutex for the count only; the log has one of its own. It is the
// last rung of the published ladder. It differs from the one before for visits at the same
// time only.
type counterFinal struct {
	mu      sync.Mutex
	names   names
	buffers sync.Pool // of *[]byte
	log     zerolog.Logger
}

func newFinal(cfg Config) http.Handler {
	return &counterFinal{
		names: newNames(cfg), buffers: bytesPool(),
		log: zerolog.New(oneByOne(cfg.Log)).With().Timestamp().Logger(),
	}
}

func (c *counterFinal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, color, ok := nameAndColor(w, r)
	if !ok {
		return
	}
	count := c.visit(name)
	buffer := c.buffers.Get().(*[]byte)
	*buffer = appendMessage((*buffer)[:0], name, color, count)
	c.log.Info().Msg(string(*buffer))
	w.Header().Set("Content-Type", contentType)
	*buffer = appendPage((*buffer)[:0], name, color, count)
	w.Write(*buffer)
	c.buffers.Put(buffer)
}

func (c *counterFinal) visit(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.names.visit(name)
}
