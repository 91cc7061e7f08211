// Package judge is a room: what decides: when two variants differ, and when a number breaks a limit.
//
// It is pure: numbers in, words out, no clock and no file. Statistics with their sources are in the public package
// stats.
//
//   - compare: blocks in, verdicts out, gates; pure
//   - limit: the language of limits: --fail-if, --find-max and --gate
package judge
