// Package bisect finds the commit that changed a measure: of a benchmark, or of a program under load.
//
// It compares both ends of a history first. If they differ, it lists the commits between them, leaves out those that
// change no file of the build, and asks package search which commit is to be compared with the good end next. Such a
// probe has one stage, and asks only on which side of a limit the commit lies. At the end the commit is compared with
// the one before it, in two stages. Within a merge the search goes on among the commits that the merge brought.
//
// The package knows neither go test nor load: a Measurer measures two commits (Benchmarks, Programs).
package bisect
