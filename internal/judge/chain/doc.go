// Package chain adds up comparisons: B against A, C against B, C against A again. What is known of C against A is their
// sum in log ratios, with an error that carries the errors of the parts, and the steps in it.
//
// It knows places by their numbers only. A place is held against one or more earlier ones (Add). Errors add up along the
// links of a chain: n links with a standard error s have s*sqrt(n). A measurement against an old place, the anchor,
// bounds that: two estimates of one place are combined by the inverses of their variances.
//
// Steps go by what was known when a place was added: a later one changes nothing of it, so that a step that was found stays
// where it is. Values, which are looked at, also know what later anchors say: without that a line would have a kink at
// each anchor.
//
// Links are taken as independent: each is a measurement of its own, with fresh starts. What two neighbours share is the
// luck of the executable of the place between them. It enters one with +1 and the other with -1, so that the sum scatters
// less than it says, not more.
package chain
