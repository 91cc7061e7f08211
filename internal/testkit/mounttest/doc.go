// Package mounttest lets a test mount file systems of its own, to see what a full or a
// read-only one does. It is for tests alone, on Linux.
package mounttest
