// Package testkit is a room: what tests share: stories, hostile profiles, file systems of their own.
//
// No program of hone imports it.
//
//   - forgery: documents of strangers, whose texts would be lines of hone's own
//   - hinttest: a check of the hints in a source: the flags and commands that they name exist
//   - leaktest: fails tests that leave goroutines or descriptors behind
//   - linkcache: a program between go and the linker, which copies what was linked before
//   - moduletest: Go modules and git repositories for tests
//   - mounttest: file systems of their own for tests: full, read-only
//   - nettest: addresses and certificates for tests that use the network of this machine
//   - profstore: a server that speaks the query protocols of Pyroscope and Parca
//   - proftest: profiles that are small in a file and large in memory or on a screen, and profiles as OTLP, for tests
//   - storytest: stories: testscript files that execute the built programs
package testkit
