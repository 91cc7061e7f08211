package main

import (
	"cmp"
	"slices"
)

type birdCount struct {
	Bird  string   `json:"bird"`
	Seen  int      `json:"seen"`
	First int      `json:"first"`
	Clubs []string `json:"clubs"`
	clubs map[string]bool
}

func (c *birdCount) add(o *observation) {
	c.Seen++
	c.First = min(c.First, o.day)
	c.clubs[o.by.club] = true
}

func (c *birdCount) finish() {
	for club := range c.clubs {
		c.Clubs = append(c.Clubs, club)
	}
	slices.Sort(c.Clubs)
}

// count has the birds of some observations, the most frequent first.
func count(seen []*observation) []*birdCount {
	counts := map[string]*birdCount{}
	for _, o := range seen {
		c, ok := counts[o.bird]
		if !ok {
			c = &birdCount{Bird: o.bird, First: o.day, clubs: map[string]bool{}}
			counts[o.bird] = c
		}
		c.add(o)
	}
	list := make([]*birdCount, 0, len(counts))
	for _, c := range counts {
		c.finish()
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *birdCount) int {
		return cmp.Or(b.Seen-a.Seen, cmp.Compare(a.Bird, b.Bird))
	})
	return list
}
