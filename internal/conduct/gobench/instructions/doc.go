// Package instructions counts the instructions that benchmarks execute, by function, too: by emulation, with valgrind's
// tool callgrind. A run is two processes with few and with many iterations, which differ by the operations alone.
package instructions
