package main

import (
	"context"
	"errors"
	"time"
)

// patience is how long a replay waits for the next bid.
const patience = 5 * time.Second

type outcome struct {
	Winner   string         `json:"winner"`
	Cents    int64          `json:"cents"`
	Accepted int            `json:"accepted"`
	Refused  int            `json:"refused"`
	Bidders  map[string]int `json:"bidders"`
}

func (o *outcome) take(b bid) {
	if b.Cents < o.Cents+o.Cents/200 {
		o.Refused++
		return
	}
	o.Winner, o.Cents = b.Bidder, b.Cents
	o.Accepted++
	o.Bidders[b.Bidder]++
}

var errSilent = errors.New("the feed is silent")

func follow(ctx context.Context, bids <-chan bid) (*outcome, error) {
	o := &outcome{Bidders: map[string]int{}}
	silent := time.NewTimer(patience)
	defer silent.Stop()
	for {
		select {
		case b, more := <-bids:
			if !more {
				return o, nil
			}
			o.take(b)
			silent.Reset(patience)
		case <-silent.C:
			return nil, errSilent
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
