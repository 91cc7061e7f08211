// Package advice turns the profiles and numbers of one run into findings: what costs, which line of
// the user's code causes it, how that is known, and what to change.
//
// A View is what is known of a run. A Rule looks at it. Find asks all rules, drops what is below
// their thresholds, folds findings of one cause into one, and ranks them by what can be gained.
package advice
