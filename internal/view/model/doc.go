// Package model is what is shown of a measurement: rows, statements with their tone, numbers with their texts. It is
// made once, from what was measured or what the ledger keeps; text for terminals, Markdown and pages are writers over
// it.
//
// What only one kind of measurement has is in packages below: bench, loadtest, commits (the search for one), and lists,
// which has a line for each.
package model
