// Package once executes programs of any language to their end, without any load: it finds or takes the program that a
// word means, executes it, and takes profiles of one more execution. What executions took is in internal/store/record.
//
// One execution is one sample: it is a fresh start, and its one operation is the
// execution itself. Package lab conducts measurements and comparisons of them.
package once
