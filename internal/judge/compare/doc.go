// Package compare is what a comparison of hone asks, and when it is over. A Question has the measures and the gates, and
// what is held against A are Contenders: variants of a program, or benchmarks. The Referee looks at their blocks from
// time to time (Pace), decides by a Decider, and rules when all is settled or the budget is used up.
//
//   - question.go, contender.go: what is asked, and of whom
//   - referee.go: a look; families.go: the level that contenders share; settle.go: when a contender is settled
//   - referee_stages.go: what is measured again; narrow.go: what the time for that does otherwise
//   - rule.go, referee_function.go: the ruling
//   - exact.go, runs.go, mean.go: rules for counts that agree, for runs of one count, and for a geometric mean
//
// PairUp makes the pairs of slices, SelfCheck holds a variant against itself.
package compare
