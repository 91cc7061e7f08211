// Package benchmarks has the documents of comparisons of benchmarks, measured or read from files of results.
package benchmarks
