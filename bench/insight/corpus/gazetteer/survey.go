package main

import (
	"context"
	"math/rand/v2"
	"time"
)

type correction struct {
	row      int
	lat, lon float64
}

// survey delivers the corrections of the land survey, which come slowly and in bursts.
func survey(ctx context.Context) <-chan correction {
	out := make(chan correction)
	go func() {
		defer close(out)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(350 * time.Millisecond):
			}
			for range 12 {
				select {
				case out <- correction{rand.IntN(4000), rand.Float64()*180 - 90, rand.Float64()*360 - 180}:
				case <-ctx.Done():
					return
				}
				time.Sleep(4 * time.Millisecond)
			}
		}
	}()
	return out
}

// correct applies each burst of corrections as a whole.
func (x *index) correct(ctx context.Context, corrections <-chan correction) {
	for {
		first, ok := <-corrections
		if !ok {
			return
		}
		x.mu.Lock()
		x.apply(first)
		for range 11 {
			next, ok := <-corrections
			if !ok {
				break
			}
			x.apply(next)
		}
		x.mu.Unlock()
	}
}

func (x *index) apply(c correction) {
	x.places[c.row].Lat, x.places[c.row].Lon = c.lat, c.lon
}
