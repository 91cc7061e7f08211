// Package search finds the commits of a history at which a measure changed, by few and noisy comparisons.
//
// The history is a line of places, 0 to n: 0 is the good end, each other place a commit, or several that are built from
// the same files. Each observation is a paired comparison: the measure of a place relative to place 0. The model is a
// product partition: the logarithm of the measure is a step function of the place, each step has a normal prior, and
// each observation a normal error. Forward and backward sums over all partitions give, for each gap between observed
// places, the probability of a step and its expected size (Barry & Hartigan 1993, "A Bayesian analysis for change point
// problems", JASA 88(421); the recursion is that of Fearnhead 2006, Statistics and Computing 16(2)).
//
// What is observed next is the place whose level is known least, by its gain of information for the time that it takes
// (MacKay 1992, Neural Computation 4(4)). For one step and exact observations that halves the history each time. For
// noisy ones it measures a place again where that says more than a new one: the behaviour of probabilistic bisection
// (Horstein 1963, IEEE Transactions on Information Theory 9(3); Waeber, Frazier & Henderson 2013, SIAM Journal on
// Control and Optimization 51(3)).
//
// Rates is the same for another question: the highest rate of requests at which a limit holds.
package search
