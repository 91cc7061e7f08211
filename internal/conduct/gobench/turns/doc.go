// Package turns lets benchmarks take turns in processes that stay alive: it adds a test function to a package and
// replaces one file of package testing, tells the process over a pipe what to run, and reads its answers. It knows what
// a turn costs besides its operations, and so how long one should take.
package turns
