// Package cases has the benchmarks of one program each that print a table: what hone and its peers cost on one machine.
//
// A tool's CPU time is user and system time of its whole process as the kernel accounts it when the process ends, start
// and end included, for every tool alike; nothing is subtracted. vegeta computes its report in a second process, which
// is not counted. Tools take turns in random order within each round, and ratios are taken within a round.
package cases
