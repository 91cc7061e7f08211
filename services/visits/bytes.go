package visits

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/rs/zerolog"
)

// counterBytes appends page and message to bytes; numbers and escapes go there without a
// string of their own.
//
// An allocs profile names the query's parsing, the header, and the message, which zerolog
// wants as a string.
type counterBytes struct {
	mu      sync.Mutex
	names   names
	buffers sync.Pool // of *[]byte
	log     zerolog.Logger
}

func newBytes(cfg Config) http.Handler {
	return &counterBytes{
		names: newNames(cfg), buffers: bytesPool(),
		log: zerolog.New(cfg.Log).With().Timestamp().Logger(),
	}
}

func bytesPool() sync.Pool { return sync.Pool{New: func() any { return new([]byte) }} }

func (c *counterBytes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name, color, ok := nameAndColor(w, r)
	if !ok {
		return
	}
	count := c.names.visit(name)
	buffer := c.buffers.Get().(*[]byte)
	*buffer = appendMessage((*buffer)[:0], name, color, count)
	c.log.Info().Msg(string(*buffer))
	w.Header().Set("Content-Type", contentType)
	*buffer = appendPage((*buffer)[:0], name, color, count)
	w.Write(*buffer)
	c.buffers.Put(buffer)
}

// appendMessage appends what writeMessage writes.
func appendMessage(dst []byte, name, color string, count int) []byte {
	dst = append(dst, "visit color="...)
	dst = append(dst, color...)
	dst = append(dst, " visits="...)
	dst = strconv.AppendInt(dst, int64(count), 10)
	dst = append(dst, " name="...)
	return append(dst, name...)
}
