// Package reach finds the functions that differ between two builds, and which of them a load, or a benchmark, executes.
//
// What differs is known from compiled code and data (package samecode), so that comments and shifted lines are no
// change, and a changed constant, table or embedded file is one of the functions that use it. The source says how such a
// function is called, where it stands, and whether its own text has changed.
//
// What is executed is known from the coverage counters of go build -cover, in the packages that differ. Who calls this
// package clears and writes the counters; it reads them. Code without counters counts as executed.
package reach
