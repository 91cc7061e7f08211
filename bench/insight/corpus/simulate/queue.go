package main

import (
	"context"
	"math"
)

type result struct {
	Served  int     `json:"served"`
	Longest int     `json:"longest"`
	Mean    float64 `json:"mean"`
	Idle    int     `json:"idle"`
}

type random struct{ state uint64 }

func (r *random) chance(permille uint64) bool {
	r.state ^= r.state << 13
	r.state ^= r.state >> 7
	r.state ^= r.state << 17
	return r.state%1000 < permille
}

func run(ctx context.Context, steps int, seed uint64) (res result, err error) {
	rnd := random{seed*2654435761 + 1}
	queue, sum := 0, 0
	for i := range steps {
		if i%1000 == 0 {
			if err := ctx.Err(); err != nil {
				return res, err
			}
		}
		if rnd.chance(480) {
			queue++
		}
		switch {
		case queue == 0:
			res.Idle++
		case rnd.chance(500):
			queue--
			res.Served++
		}
		res.Longest = max(res.Longest, queue)
		sum += queue
	}
	res.Mean = math.Round(float64(sum)/float64(steps)*1000) / 1000
	return res, nil
}
