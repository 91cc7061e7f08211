// Package wire is what the protocols of a load have in common: Options, which say what is asked and what a right answer is,
// Scheme, by which a protocol is known, feeds, and the templates that a feed and hone's own places fill.
//
// It knows no protocol. What is added here must be of use to at least two; an option of one alone is a struct of its own in
// Options. Formats of text: RFC 9110 section 5.6 (tokens), RFC 3986 section 2 (percent-encoding), RFC 4180 (feeds).
package wire
