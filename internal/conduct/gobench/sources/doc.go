// Package sources finds the two sides of a comparison of benchmarks, A and B, as directories that go builds: a
// checkout, another directory, the working tree. It asks the go command for their packages, and has the overlays that a
// build of them takes.
package sources
