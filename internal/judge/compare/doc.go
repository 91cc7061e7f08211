// Package compare turns blocks of two variants into a verdict: faster, slower, the
// same, or undecided and what it would take. It is arithmetic only: no clock, no file,
// and the same blocks give the same verdict.
//
// A Block is one fresh start of both variants, and the unit of every test. It has Pairs:
// slices of A and B taken one right after the other, so that whatever disturbs the
// machine hits both. Disturbed pairs are kept: dropping them was measured to lower the power
// of the test, and would allow to choose the result. The estimate of a block is rank-based,
// which bounds the effect of one pair.
//
// Gates are limits on the change of a measure; Holm shares a level among questions.
//
// A new measure is one entry in Measures.
package compare
