// Package diff compares the profiles of two variants: what changed per request beyond the noise (New), which places
// explain a change that is known (Why), and what one function costs on both sides (CompareFunction). MatchClosures
// gives the closures of both sides the same names.
package diff
