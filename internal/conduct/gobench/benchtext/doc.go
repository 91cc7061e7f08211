// Package benchtext reads what the test binaries of go test print of benchmarks: results, also those that the output of
// a benchmark tears apart, which benchmarks began, failed or skipped themselves, and the measures of units.
package benchtext
