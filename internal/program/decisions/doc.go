// Package decisions reads what the compiler decided about functions: what it inlined, what it put on the heap, where it
// checks bounds, which calls through interfaces it made direct. It compares the decisions of two builds.
//
// The compiler prints them with Flags (go doc cmd/compile). Each line begins with a position. A position within an
// inlined body is that of the call, so each line belongs to the declared function that begins before it in its file;
// where functions begin, the lines "can inline" and "cannot inline" say. No source is read.
package decisions
