// Package plant makes a function cost more by a known amount, in an overlay: CPU time, time or allocations. The source is
// not touched. A gate that stays green then cannot fail.
package plant
