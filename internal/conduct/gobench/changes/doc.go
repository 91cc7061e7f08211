// Package changes says what differs between the sides of a comparison besides the code that is measured: the source of
// the benchmarks and all that they use of the test files, packages that only tests import, and other files.
package changes
