// Package stats is the arithmetic behind hone's verdicts: paired, rank-based
// statistics that keep their promises on a noisy machine.
//
// A comparison yields pairs of slices; LogRatios turns them into one list of
// differences d; SignedRank and SignFlip say whether d could be noise, and
// HodgesLehmann how large the difference is. All of it is deterministic, except
// that SignFlip draws from the generator it is given. Nothing here removes an
// outlier: ranks bound the pull of a disturbed pair, and dropping pairs lowers the
// power of the tests.
//
// No function modifies its arguments. Values have to be finite; an error names the
// index of the first that is not.
package stats
