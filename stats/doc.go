// Package stats is the arithmetic behind hone's verdicts: statistics that keep their
// promises on a noisy machine.
//
// A comparison yields pairs of slices within blocks, a block being one start of both variants. LogRatios turns pairs
// into one list of differences d; SequentialSignFlip says, at several looks, whether d could be noise, and
// HodgesLehmann how large the difference is. RobustWithin is the noise of slices, and Repetitions how many slices a
// start should have. QuantileRatio compares percentiles of latencies, by resampling blocks. Overlap is what two
// distributions have in common. Holm adjusts for the number of tests.
//
// PriorOf says what variances of one kind have in common, and ModeratedP tests by it. TwoModes looks for two groups.
//
// MannWhitney and Shift compare runs that were not taken together, ChangePoints
// divides a history of runs.
//
// All of it is deterministic, except that functions with a *rand.Rand draw from it. No
// function removes an outlier: ranks bound the pull of a disturbed pair, and dropping
// pairs lowers the power of the tests.
//
// No function modifies its arguments. Values have to be finite; an error names the
// index of the first that is not.
package stats
