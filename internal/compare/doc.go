// Package compare turns paired slices of two variants into a verdict: faster,
// slower, the same, or undecided and what it would take. It is arithmetic only: no
// clock, no file, no randomness.
//
// The data are Pairs: slices of A and B taken one right after the other, so that
// whatever disturbs the machine hits both. Disturbed pairs are kept. To drop them
// was measured to lower the power of the test, and it opens a door to choosing the
// result; the statistics are rank-based, which bounds what one pair can do.
//
// A new measure is one entry in Measures.
package compare
