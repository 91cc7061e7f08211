package main

import (
	"cmp"
	"math"
	"slices"

	"go.uber.org/zap"
)

type ranker struct {
	log   *zap.SugaredLogger
	items []*item
}

type ranked struct {
	ID    int      `json:"id"`
	Score float64  `json:"score"`
	Tags  []string `json:"tags"`
}

func newRanker(log *zap.SugaredLogger, n int) *ranker {
	r := &ranker{log: log}
	for i := range n {
		r.items = append(r.items, newItem(i))
	}
	return r
}

func taste(user int) *[dims]float32 {
	var u [dims]float32
	for d := range u {
		u[d] = float32(math.Cos(float64(user + d*3)))
	}
	return &u
}

func (r *ranker) rank(user, n int) []ranked {
	u := taste(user)
	out := make([]ranked, 0, len(r.items))
	for _, it := range r.items {
		s := r.score(user, it, u)
		if s > 0 {
			out = append(out, ranked{ID: it.ID, Score: math.Round(s*1000) / 1000, Tags: it.Tags})
		}
	}
	slices.SortFunc(out, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	r.log.Debugw("ranked", "user", user, "found", len(out))
	return out[:min(n, len(out))]
}

func (r *ranker) score(user int, it *item, u *[dims]float32) float64 {
	s := it.dot(u)
	for range 4 { // a few steps of a damped fixed point
		s = s*0.8 + math.Tanh(s)*0.2
	}
	r.log.Debugw("candidate", "user", user, "item", it.ID, "vector", it.describe(), "score", s)
	return s
}
