// Package judge is a room: what a comparison of hone asks, when it is over, and when a number breaks a limit. What
// decides is the public package judge; statistics with their sources are in stats.
//
// It is pure, but for the clock of compare.Pace: numbers in, words out, and no file.
//
//   - answers: whether two variants answer the same requests in the same way
//   - chain: comparisons along commits, added up with their errors; anchors; the steps in them
//   - compare: the referee of variants, benchmarks and counts: when to look at a comparison, what is measured again, when
//     it is over, what its ruling is
//   - gate: limits on the change of a measure, such as cpu<+2%
//   - limit: the language of limits: --fail-if, --find-max and --gate
//   - repeat: whether a verdict holds when somebody else has measured the same again
//   - search: which commit of a history is compared next, and where a measure changed; by few and noisy comparisons
//   - measure: what hone observes of programs under load, with units
package judge
