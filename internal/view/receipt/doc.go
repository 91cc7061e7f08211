// Package receipt writes and reads receipts: small files by which another machine measures a comparison again.
//
// A receipt is a view of a stored comparison: its verdicts, gates and caveats are those of the document, and what is
// added says what was compared (trees, not names) and how often.
//
//   - receipt.go: what a receipt says
//   - make.go, sides.go, tries.go: a receipt of a stored comparison
//   - file.go: the file, with its digest; a reader that takes only what the writer writes
//   - check.go: figures and words of a receipt that do not fit together
//   - hold.go, hold_checked.go: a receipt against one of a second measurement
//
// Receipts come from strangers: Read refuses what is larger, deeper or longer than any receipt of hone, names the
// position, and executes nothing.
package receipt
