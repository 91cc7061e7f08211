// Package cheats compares small programs with changes of them that make hone's figures better and nothing cheaper for a
// user, and with some that are honest. Of the first none is to pass a gate, and hone is to refuse them or to name them
// in its first sentence; the others are to stand as plainly faster.
//
// A pair is a file: what B does, its kind, the base that is A, and the files that B has instead of A's. Their authors
// read hone's documents and were asked to cheat. Half of the pairs is closed: who writes hone's rules reads the
// directory open alone, and the report has of the others only sums. The halves were drawn once, kind by kind.
//
// No pair is a cheat by name only: each says what a test sees without hone (proof.go), where a user with requests of
// his own meets A and B.
package cheats
