// Package hashring spreads keys over nodes by consistent hashing.
package hashring

import (
	"fmt"
	"sort"
)

const points = 6 // of each node on the ring

type point struct {
	at   uint32
	node string
}

// A Ring has the nodes. Add them all before the first Lookup of a batch.
type Ring struct {
	ring   []point
	nodes  map[string]bool
	sorted bool
}

// New makes a ring of nodes.
func New(nodes ...string) *Ring {
	r := &Ring{nodes: map[string]bool{}}
	for _, n := range nodes {
		r.Add(n)
	}
	return r
}

func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h ^= uint32(s[i])
		h *= 16777619
	}
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	return h
}

// Add puts a node on the ring.
func (r *Ring) Add(node string) {
	if r.nodes[node] {
		return
	}
	r.nodes[node] = true
	for i := range points {
		r.ring = append(r.ring, point{hash(fmt.Sprintf("%s#%d", node, i)), node})
	}
	r.sorted = false
}

// Remove takes a node from the ring.
func (r *Ring) Remove(node string) {
	delete(r.nodes, node)
	kept := r.ring[:0]
	for _, q := range r.ring {
		if q.node != node {
			kept = append(kept, q)
		}
	}
	r.ring = kept
}

// Lookup finds the node of a key.
func (r *Ring) Lookup(key string) string {
	if len(r.ring) == 0 {
		return ""
	}
	if !r.sorted {
		sort.Slice(r.ring, func(i, j int) bool { return r.ring[i].at < r.ring[j].at })
		r.sorted = true
	}
	h := hash(key)
	for _, p := range r.ring {
		if p.at >= h {
			return p.node
		}
	}
	return r.ring[0].node
}

// Spread counts how many of the keys each node gets.
func (r *Ring) Spread(keys []string) map[string]int {
	counts := make(map[string]int, len(r.nodes))
	for _, k := range keys {
		counts[r.Lookup(k)]++
	}
	return counts
}
