package memory

import "cmp"

// Cached are the pages of regular files in memory that a process has open, mapped ones left out: they are charged to
// its control group, mostly, and are not resident memory of it.
type Cached struct {
	Bytes uint64  `json:"bytes"`
	Dirty uint64  `json:"dirty_bytes,omitempty"`
	Of    []Piece `json:"of,omitempty"`
}

// mostFiles bounds how many open files are looked at.
const mostFiles = 4096

func (c *Cached) add(name string, bytes, dirty uint64) {
	c.Bytes, c.Dirty = c.Bytes+bytes, c.Dirty+dirty
	c.Of = append(c.Of, Piece{name, bytes})
}

func compareDown(p, q Piece) int { return cmp.Compare(q.Bytes, p.Bytes) }
