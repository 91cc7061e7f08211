package main

import (
	"context"
	"fmt"
)

type bid struct {
	Bidder string
	Cents  int64
}

type auction struct {
	id   int
	bids []bid
}

func record(id, n int) *auction {
	a := &auction{id: id}
	for k := range n {
		a.bids = append(a.bids, bid{Bidder: fmt.Sprintf("bidder-%d", (k*7+id)%19), Cents: int64(1000 + k*50 - k%3*80)})
	}
	return a
}

// feed sends the bids in batches, as the live feed does. It ends with the context.
func (a *auction) feed(ctx context.Context) <-chan bid {
	out := make(chan bid, 64)
	go func() {
		defer close(out)
		for _, b := range a.bids {
			select {
			case out <- b:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}
