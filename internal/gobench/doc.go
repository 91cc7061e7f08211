// Package gobench measures the benchmarks of go test on two sides of a change, A and B,
// and says which became faster or slower.
//
// It builds the test binaries of both sides once, with a test function that lets them stay
// alive. Both then take turns of some milliseconds in random order, told over a pipe. After
// about a second fresh processes take their place: that is a block, the unit of the test
// (package compare), since two processes of one binary differ for as long as they live. A
// benchmark that cannot take turns gets a process for each sample.
//
// The package also reads files of benchmark results and compares them as benchstat does.
package gobench
