package main

import (
	"encoding/json"
	"sort"
	"sync"
	"time"
)

type tree struct {
	left, right *tree
	value       int
}

// grow recurs, so that a cumulative count that is not taken once per stack shows.
func grow(depth int) *tree {
	if depth == 0 {
		return &tree{value: 1}
	}
	return &tree{left: grow(depth - 1), right: grow(depth - 1), value: depth}
}

// size is small enough to be inlined into sum's callers at each level.
func (t *tree) size() int {
	if t == nil {
		return 0
	}
	return t.value
}

func sum(t *tree) int {
	if t == nil {
		return 0
	}
	return t.size() + sum(t.left) + sum(t.right)
}

type visits struct {
	mu sync.Mutex
	by map[int]int
}

func (v *visits) count(key int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.by[key%1000]++
	if key%64 == 0 {
		encode(v.by)
	}
}

func encode(m map[int]int) []byte {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return m[keys[i]] < m[keys[j]] })
	data, _ := json.Marshal(keys)
	return data
}

// work keeps two goroutines busy, in each other's way.
func work(d time.Duration) {
	end := time.Now().Add(d)
	shared := &visits{by: map[int]int{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := 0; time.Now().Before(end); i++ {
				shared.count(sum(grow(8)) + i)
			}
		})
	}
	wg.Wait()
}
