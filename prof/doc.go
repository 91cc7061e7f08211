// Package prof reads the profiles of Go programs and says what they mean: where the
// costs are (Views), what a stretch of load cost (Delta), what changed per request
// between two variants (NewDiff; Changes and Why explain a verdict), who causes the
// collector's work (NewBlame), and how much of production a load exercises (Cover).
//
// It works on profiles in the pprof protobuf format as runtime/pprof and
// net/http/pprof write them, knows no user interface, and changes no profile it
// is given.
package prof
