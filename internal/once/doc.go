// Package once conducts measurements of programs that end by themselves, without any
// load: what a whole execution takes (user, system and real time, the largest resident
// set), once or several times (Measure with one variant), or of several variants in turn
// until it is decided which takes less CPU time (with more).
//
// One execution is one sample: it is a fresh start, and its one operation is the
// execution itself. Profiles are taken of one more execution of each variant, which is
// not timed.
package once
