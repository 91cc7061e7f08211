package visits

import (
	"bytes"
	"net/http"
	"sync"

	"github.com/rs/zerolog"
)

// counterZerolog logs by a library that appends to pooled bytes.
//
// An allocs profile is led by the parsing of the query; logrus and encoding/json are gone.
type counterZerolog struct {
	mu      sync.Mutex
	names   names
	buffers sync.Pool // of *bytes.Buffer
	log     zerolog.Logger
}

func newZerolog(cfg Config) http.Handler {
	return &counterZerolog{
		names: newNames(cfg), buffers: bufferPool(),
		log: zerolog.New(cfg.Log).With().Timestamp().Logger(),
	}
}

func (c *counterZerolog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name, color, ok := nameAndColor(w, r)
	if !ok {
		return
	}
	count := c.names.visit(name)
	buffer := c.buffers.Get().(*bytes.Buffer)
	buffer.Reset()
	writeMessage(buffer, name, color, count)
	c.log.Info().Msg(buffer.String())
	w.Header().Set("Content-Type", contentType)
	buffer.Reset()
	writePage(buffer, name, color, count)
	w.Write(buffer.Bytes())
	c.buffers.Put(buffer)
}
