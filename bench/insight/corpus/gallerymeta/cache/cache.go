// Package cache keeps descriptions for a while.
package cache

import (
	"sync"
	"time"
)

// Description is what is known about a picture.
type Description struct {
	ID        int    `json:"id"`
	Sum       int    `json:"sum"`
	Histogram [8]int `json:"histogram"`
}

type entry struct {
	d   Description
	end time.Time
}

// Cache keeps what compute returned for ttl.
type Cache struct {
	mu      sync.Mutex
	ttl     time.Duration
	compute func(int) Description
	entries map[int]entry
}

// New returns an empty cache.
func New(ttl time.Duration, compute func(int) Description) *Cache {
	return &Cache{ttl: ttl, compute: compute, entries: map[int]entry{}}
}

// Get returns the description of a picture.
func (c *Cache) Get(id int) Description {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if e, ok := c.entries[id]; ok && now.Before(e.end) {
		return e.d
	}
	d := c.compute(id)
	c.entries[id] = entry{d, time.Now().Add(c.ttl)}
	c.sweep(now)
	return d
}

func (c *Cache) sweep(now time.Time) {
	for id, e := range c.entries {
		if now.After(e.end.Add(c.ttl)) {
			delete(c.entries, id)
		}
	}
}
