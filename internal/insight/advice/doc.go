// Package advice turns what is known of a run (package facts) into findings: what costs, which line of the user's code
// causes it, how that is known, and what to change.
//
// A Rule says for one kind of cause how to see it. Find asks all rules, drops what is below their thresholds, folds
// findings of one cause into one, and ranks them by what their lines cost.
//
//   - rule_withheld.go: a CPU that the program does not get, whose reason is the machine
//   - rule.go: what a rule is, and the list of all; rule_TOPIC.go: the rules
//   - match.go, spends.go, waits.go, library_values.go: what rules are written with: which stacks a rule takes, and
//     findings of them
//   - find.go, claim.go, one_cause.go, gain.go: one pass of all rules; which finding counts a cost, and what can be
//     gained
//   - finding.go, evidence.go, remedy.go, remedy_by_line.go, setting.go: what a finding says
//   - large.go: what is large, and in no finding
//   - change.go, weigh.go: findings of two variants, and by what production spends
package advice
