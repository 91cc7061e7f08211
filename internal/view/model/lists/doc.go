// Package lists is what lists of runs and comparisons show: the main measure and the outcome in a few words, and how a
// measure moved from run to run.
package lists
