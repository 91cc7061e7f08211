package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
)

type player struct {
	Name   string  `json:"name"`
	Points int     `json:"points"`
	Games  int     `json:"games"`
	Mean   float64 `json:"mean"`
}

type board struct {
	mu      sync.RWMutex
	leagues map[string]map[string]*player
}

func newBoard() *board { return &board{leagues: map[string]map[string]*player{}} }

func (b *board) report(league, name string, points, games int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.leagues[league]
	if l == nil {
		l = map[string]*player{}
		b.leagues[league] = l
	}
	p := l[name]
	if p == nil {
		p = &player{Name: name}
		l[name] = p
	}
	p.Points += points
	p.Games += games
	p.Mean = math.Round(float64(p.Points)/float64(p.Games)*10) / 10
}

func (b *board) snapshot(league string) []player {
	b.mu.RLock()
	defer b.mu.RUnlock()
	out := make([]player, 0, len(b.leagues[league]))
	for _, p := range b.leagues[league] {
		out = append(out, *p)
	}
	return out
}

func better(a, b player) int {
	return cmp.Or(cmp.Compare(b.Points, a.Points), strings.Compare(a.Name, b.Name))
}

func (b *board) top(league string, n int) []player {
	best := make([]player, 0, n+1)
	for _, p := range b.snapshot(league) {
		if len(best) == n && better(p, best[n-1]) >= 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(best, p, better)
		best = slices.Insert(best, i, p)
		best = best[:min(len(best), n)]
	}
	return best
}
