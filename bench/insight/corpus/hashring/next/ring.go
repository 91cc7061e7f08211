// Package hashring spreads keys over nodes by consistent hashing.
package hashring

import (
	"slices"
	"strconv"
)

const points = 6 // of each node on the ring

// A Ring has the nodes. It may be read by many goroutines as long as none changes it.
type Ring struct {
	at    []uint32 // sorted
	owner []string // of the point with the same index
	nodes map[string]bool
}

// New makes a ring of nodes.
func New(nodes ...string) *Ring {
	r := &Ring{nodes: make(map[string]bool, len(nodes))}
	for _, n := range nodes {
		r.Add(n)
	}
	return r
}

// Len says how many nodes the ring has.
func (r *Ring) Len() int { return len(r.nodes) }

// Add puts a node on the ring.
func (r *Ring) Add(node string) {
	if r.nodes[node] {
		return
	}
	r.nodes[node] = true
	for i := range points {
		h := hash(node + "#" + strconv.Itoa(i))
		at, _ := slices.BinarySearch(r.at, h)
		r.at = slices.Insert(r.at, at, h)
		r.owner = slices.Insert(r.owner, at, node)
	}
}

// Remove takes a node from the ring.
func (r *Ring) Remove(node string) {
	delete(r.nodes, node)
	n := 0
	for i, o := range r.owner {
		if o != node {
			r.at[n], r.owner[n] = r.at[i], o
			n++
		}
	}
	r.at, r.owner = r.at[:n], r.owner[:n]
}

// Lookup finds the node of a key.
func (r *Ring) Lookup(key string) string {
	if len(r.owner) == 0 {
		return ""
	}
	return r.owner[r.successor(hash(key))]
}

// successor is the first point at or after h, or the first of all.
func (r *Ring) successor(h uint32) int {
	low, high := 0, len(r.at)
	for low < high {
		middle := (low + high) / 2
		if r.at[middle] < h {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(r.at) {
		return 0
	}
	return low
}

// Spread counts how many of the keys each node gets.
func (r *Ring) Spread(keys []string) map[string]int {
	counts := make(map[string]int, len(r.nodes))
	for i := range keys {
		counts[r.Lookup(keys[i])]++
	}
	return counts
}

func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	h = (h ^ h>>15) * 0x2c1b3c6d
	return h ^ h>>12
}
