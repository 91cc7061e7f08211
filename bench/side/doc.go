// Package side holds what the side-by-side benchmarks share: load generators with what
// they say of themselves, bare HTTP servers, flags, and the lines that say where and how
// figures came about.
package side
