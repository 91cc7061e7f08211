package main

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"corpus/truth"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

type sailing struct {
	at    time.Time
	route string
	free  int
}

// plan has the sailings of a week.
func plan(from time.Time) []sailing {
	var list []sailing
	for i, route := range []string{"north", "islands", "strait"} {
		for n := range 40 {
			list = append(list, sailing{from.Add(time.Duration(n*4+i) * time.Hour), route, 120})
		}
	}
	slices.SortFunc(list, func(a, b sailing) int { return a.at.Compare(b.at) })
	return list
}

type desk struct {
	company grpc.ClientConnInterface

	mu       sync.Mutex
	sailings []sailing
	next     int
}

func (d *desk) Reserve(ctx context.Context, in *emptypb.Empty) (*emptypb.Empty, error) {
	t := truth.Begin()
	defer t.End()
	d.take()
	confirmed := t.Part("company")
	out := new(emptypb.Empty)
	err := d.company.Invoke(ctx, "/shipping.Company/Reserve", in, out)
	confirmed()
	return out, err
}

// take takes a place on the next sailing that has one.
func (d *desk) take() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for range d.sailings {
		s := &d.sailings[d.next]
		d.next = (d.next + 1) % len(d.sailings)
		if s.free > 0 {
			s.free--
			return
		}
		s.free = 120 // the next week's
	}
}

// company writes each 40th reservation down by hand.
type company struct{ reserved atomic.Int64 }

func (c *company) Reserve(ctx context.Context, _ *emptypb.Empty) (*emptypb.Empty, error) {
	if c.reserved.Add(1)%40 == 0 {
		select {
		case <-time.After(65 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return &emptypb.Empty{}, nil
}
