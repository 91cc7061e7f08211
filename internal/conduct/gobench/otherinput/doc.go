// Package otherinput writes a copy of a benchmark function that has another input: its numbers are one more, and its
// strings a letter longer. So a side that keeps the answer to the benchmark's only input is told from one that keeps a
// table or a buffer.
package otherinput
