// Package judge turns blocks of two variants, A and B, into a verdict: faster, slower, the same, or undecided and what it would
// take. It is arithmetic only: no clock and no file, it imports nothing but package stats, and the same blocks give the same
// verdict.
//
// A [Block] is one fresh start of both variants, and the unit of every test. It has Pairs: observations of A and B taken one
// right after the other, so that whatever disturbs the machine hits both. Disturbed pairs are kept: dropping them was measured
// to lower the power of the test, and would allow to choose the result.
//
// In reading order:
//
//   - measure.go, block.go: what goes in. A [Measure] is what is observed, and says which way is better.
//   - options.go: the rules. Level, tolerance of "the same", looks, and the fewest blocks that can show anything.
//   - decide.go: [Decide]. Pairs give the estimate of a block, blocks give the test, the test gives an Evidence.
//   - layout.go: where variants are linked in several orders, all blocks of one order are one unit of the test.
//   - calm.go: a difference has to be there in the pairs that nothing disturbed, too.
//   - stretches.go: it has to be there in both kinds of blocks, if there are two that come in stretches.
//   - evidence.go, doubt.go, reason.go: [Evidence] becomes a word, with its reason and what it would take.
//   - verdict.go, width.go, bound.go: what comes out. The [Verdict], also as JSON.
//   - few.go: a difference far beyond the scatter of the blocks takes few of them.
//   - stages.go: nothing is called different that was seen once. [DecideInStages].
//   - percentile.go, percentile_looks.go: percentiles, by bootstrap over blocks.
//
// The package judge/share has several questions share one level. The package judge/power says how much blocks scatter,
// what the width of an interval is made of, and which change a budget can show.
//
// The tests are documentation that is executed. The simulations print the shares of false alarms and of differences
// found, with fixed seeds: go test -v ./judge. simulate_test.go has the level, the power and the equivalence of
// Decide; stages_test.go those of both stages; calm_test.go neighbours that cost one side more; layout_test.go of
// judge/power link orders that differ.
package judge
