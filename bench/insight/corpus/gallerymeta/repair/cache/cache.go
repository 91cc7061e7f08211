// Package cache keeps descriptions for a while.
package cache

import (
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
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
	flight  singleflight.Group
}

// New returns an empty cache.
func New(ttl time.Duration, compute func(int) Description) *Cache {
	return &Cache{ttl: ttl, compute: compute, entries: map[int]entry{}}
}

// Get returns the description of a picture.
func (c *Cache) Get(id int) Description {
	if d, ok := c.fresh(id); ok {
		return d
	}
	d, _, _ := c.flight.Do(strconv.Itoa(id), func() (any, error) {
		d := c.compute(id)
		now := time.Now()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.entries[id] = entry{d, now.Add(c.ttl)}
		c.sweep(now)
		return d, nil
	})
	return d.(Description)
}

func (c *Cache) fresh(id int) (Description, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[id]
	return e.d, ok && time.Now().Before(e.end)
}

func (c *Cache) sweep(now time.Time) {
	for id, e := range c.entries {
		if now.After(e.end.Add(c.ttl)) {
			delete(c.entries, id)
		}
	}
}
