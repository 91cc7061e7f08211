package compiler

import "regexp"

// kinds are the decisions of the compiler that a pair can be about, with how a line of hone's names them. It is the only
// place that knows hone's words for them.
var kinds = map[string]*regexp.Regexp{
	"inlining":         regexp.MustCompile(`(?i)\binlin`),
	"escape":           regexp.MustCompile(`(?i)\bescape|moved to (the )?heap|\bheap\b.*\balloc|\balloc.*\bheap\b`),
	"bounds":           regexp.MustCompile(`(?i)\bbounds?[ -]checks?|\bindex checks?|\bslice checks?`),
	"devirtualisation": regexp.MustCompile(`(?i)devirtuali|\bdirect call|\bindirect|through (the|an) interface`),
	"conversion":       regexp.MustCompile(`(?i)\bconver(sion|t)`),
}

// explains is how a line of hone's begins that says why something is slower.
var explains = regexp.MustCompile(`^\s*(why|compiler)\b`)
