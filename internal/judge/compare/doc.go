// Package compare is what a comparison of hone asks, and when it is over. A Question has the variants, the measures and
// the gates. The Referee looks at the blocks from time to time (Pace), has package judge decide, and rules when all is
// settled or the budget is used up. PairUp makes the pairs of slices, SelfCheck holds a variant against itself.
package compare
