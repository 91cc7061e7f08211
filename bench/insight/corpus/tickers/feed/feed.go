// Package feed spreads prices to subscribers.
package feed

import (
	"maps"
	"slices"
	"sync"
)

// Feed knows the subscribers of all symbols.
type Feed struct {
	mu   sync.Mutex
	base map[string]float64
	subs []*Sub
}

// New returns a feed of symbols.
func New(symbols ...string) *Feed {
	f := &Feed{base: map[string]float64{}}
	for i, s := range symbols {
		f.base[s] = 100 + float64(i)*7.5
	}
	return f
}

type tick struct {
	symbol string
	volume int
}

// Sub is a subscription.
type Sub struct {
	ticks  chan tick
	mu     sync.Mutex
	volume map[string]int
	prices map[string]float64
}

// Subscribe returns a subscription to symbols, which has their prices at once.
func (f *Feed) Subscribe(symbols []string) *Sub {
	s := &Sub{ticks: make(chan tick, 4), volume: map[string]int{}, prices: map[string]float64{}}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, sym := range symbols {
		if p, ok := f.base[sym]; ok {
			s.prices[sym] = p
		}
	}
	f.subs = append(f.subs, s)
	go s.run()
	return s
}

func (s *Sub) run() {
	for t := range s.ticks {
		s.mu.Lock()
		s.volume[t.symbol] += t.volume
		s.mu.Unlock()
	}
}

// Last returns the last price of each symbol.
func (s *Sub) Last() map[string]float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.prices)
}

// Close ends the subscription.
func (f *Feed) Close(s *Sub) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.subs, s); i >= 0 {
		f.subs = slices.Delete(f.subs, i, i+1)
		close(s.ticks)
	}
}
