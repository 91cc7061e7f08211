// Package once measures programs of any language that end by themselves, without any load: it finds or takes the program
// that a word means, executes it in rounds until the question is answered, and takes profiles of one more execution. What
// executions took is in internal/store/record; what such a measurement has in common with one under load is in
// internal/conduct/lab.
//
// One execution is one sample: it is a fresh start, and its one operation is the execution itself.
package once
