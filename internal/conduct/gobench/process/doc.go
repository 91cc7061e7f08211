// Package process runs a program of a measurement of benchmarks, a test binary or the go command, to its end: in a
// group of processes of its own, with the CPU time of all of them and the end of what it prints.
package process
