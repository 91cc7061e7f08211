package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
)

const (
	opens  = 8
	closes = 18
)

type calendar struct {
	mu    sync.RWMutex
	rooms int
	taken map[string]bool
}

type offer struct {
	Room  int     `json:"room"`
	From  int     `json:"from"`
	To    int     `json:"to"`
	Score float64 `json:"score"`
}

func newCalendar(rooms, days int) *calendar {
	c := &calendar{rooms: rooms, taken: map[string]bool{}}
	for r := range rooms {
		for d := range days {
			for h := opens; h < closes; h++ {
				if (r*31+d*17+h*7)%5 < 2 {
					c.taken[slot(r, d, h)] = true
				}
			}
		}
	}
	return c
}

func slot(room, day, hour int) string {
	return fmt.Sprintf("%d/%d/%d", room, day, hour)
}

func (c *calendar) book(room, day, hour int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := slot(room, day, hour)
	if room < 0 || room >= c.rooms || c.taken[k] {
		return false
	}
	c.taken[k] = true
	return true
}

// fits tells if a room is free for some hours from h on.
func (c *calendar) fits(room, day, h, hours int) bool {
	for i := range hours {
		if c.taken[slot(room, day, h+i)] {
			return false
		}
	}
	return true
}

// score prefers small rooms and the middle of the day.
func score(room, h, hours int) float64 {
	middle := float64(h) + float64(hours)/2 - 12.5
	return math.Round((math.Exp(-middle*middle/8)-float64(room)/100)*1000) / 1000
}

func (c *calendar) free(day, hours int) []offer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	offers := []offer{}
	for room := range c.rooms {
		for h := opens; h+hours <= closes; h++ {
			if c.fits(room, day, h, hours) {
				offers = append(offers, offer{room, h, h + hours, score(room, h, hours)})
			}
		}
	}
	slices.SortFunc(offers, func(a, b offer) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Room, b.Room), cmp.Compare(a.From, b.From))
	})
	return offers
}
