// Package side holds what the side-by-side benchmarks share: load generators as child
// processes on a CPU of their own with their CPU time, servers on another, random
// order, medians, and the lines that say where and how figures came about.
package side
