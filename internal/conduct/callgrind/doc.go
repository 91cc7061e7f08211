// Package callgrind reads what valgrind's tool callgrind counted: the instructions of each
// function of a program, and who called whom how often. Of two counts of the same program, with
// few and with many operations, it makes the instructions of one operation by function.
//
// Of a Go program not all numbers in a file of callgrind are true. The instructions of a function
// by itself are, and so is the number of its calls. But callgrind follows calls by the stack
// pointer, and does not know that goroutines have stacks of their own: what it says a call cost
// with all that it called may hold what other goroutines did meanwhile. This package does not read
// those costs. It computes the cost of a function with what it calls from the other two (see
// Costs.Inclusive).
package callgrind
