// Package once executes programs of any language to their end, without any load: it finds or
// takes the program that a word means, says what an execution took (user, system and real
// time, the largest resident set), sums up several, and takes profiles of one.
//
// One execution is one sample: it is a fresh start, and its one operation is the
// execution itself. Package lab conducts measurements and comparisons of them.
package once
