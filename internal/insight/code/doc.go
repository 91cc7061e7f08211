// Package code answers questions about the user's source: what a line does, what is around it, and where what it makes
// goes. It knows files and lines, and no profiles.
//
// A Tree has the packages of the user's module, as far as their source is there. Its File answers by line; where the
// source is not known, each answer is "no", so that a rule that needs it is silent.
//
//   - tree.go, package.go, file.go, place.go: what there is, with its types
//   - loops.go, data_loops.go, sums.go: what a loop does for each element
//   - kept.go, outlives.go, fills.go: what outlives a request
//   - pure.go, same.go, constants.go, quoted.go: what is the same each time; patterns of quoted texts
//   - request.go, handed.go, streams.go: where a value comes from, by way of parameters
//   - allocations.go, copies.go, texts.go, sorts.go, any.go, round_trips.go, rounded.go: what a line
//     makes, copies and takes apart
//   - locks.go, flush.go, flush_time.go, bodies.go, openings.go: what is locked, flushed, closed
//   - paced.go: who sleeps to keep a rate
//   - references.go, starts.go: who names a library, and who starts a goroutine
package code
