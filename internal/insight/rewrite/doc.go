// Package rewrite changes Go source the way that a rule of advice recommends, where the change is
// mechanical: the outcome is the same for every caller, and only the cost differs.
//
// A Rewrite is data and one function, in the list All. Apply loads the package of a place with its
// types, asks the rewrite for edits of the text, and returns a Change: an overlay for go build and a
// patch. The tree is not touched. Code that does not fit, or of which it cannot be shown that the
// change is safe, is refused by a *Refusal with the position and the cause. Check builds and tests a
// change. Whether it pays is measured elsewhere.
package rewrite
