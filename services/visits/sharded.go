package visits

import (
	"io"
	"net/http"
	"sync"
)

// counterSharded allocates nothing for a visit of a known name, whatever is escaped in the
// query: name and color are unescaped into a pooled buffer and never become strings, line
// and page are appended to another, the header's value is shared by all answers, and names
// lie in shards that are only read, their counts atomic. The time of day is made into text
// once a second.
//
// A CPU profile shows copies, the maps of header and names, and the walk over the query.
type counterSharded struct {
	contentType []string // full, so that http.Header.Add copies it
	names       *shards
	scratches   sync.Pool // of *scratch
	clock       clock
	log         io.Writer
}

// scratch is the memory of one visit.
type scratch struct {
	query []byte // name and color, unescaped
	out   []byte // the log's line, then the page
}

func newSharded(cfg Config) http.Handler {
	return &counterSharded{
		contentType: []string{contentType},
		names:       newShards(cfg.MaxNames),
		scratches:   sync.Pool{New: func() any { return new(scratch) }},
		log:         oneByOne(cfg.Log),
	}
}

func (c *counterSharded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := checkRequest(r)
	if f != noFault {
		refuse(w, f)
		return
	}
	s := c.scratches.Get().(*scratch)
	defer c.scratches.Put(s)
	name, color := s.nameAndColor(r.URL.RawQuery)
	if f = checkVisit(name, color); f != noFault {
		refuse(w, f)
		return
	}
	count := int(c.names.visit(name))
	s.out = appendLine(s.out[:0], c.clock.now(), name, color, count)
	c.log.Write(s.out) // a log that fails must not fail the visit
	w.Header()["Content-Type"] = c.contentType
	s.out = appendPage(s.out[:0], name, color, count)
	w.Write(s.out)
}
