// Package turns says which request a connection sends next, and with which row of a feed: by weight, spread evenly,
// each connection from a place of its own.
//
// It knows requests by number only. Walks outlive connections and may be shared by sessions, so their counters are
// atomic.
package turns
