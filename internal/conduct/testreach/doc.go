// Package testreach finds which of the functions that differ between two versions are executed: it builds both with
// coverage counters, and runs their tests and each of their benchmarks once.
package testreach
