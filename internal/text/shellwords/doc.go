// Package shellwords splits a line into words as a POSIX shell does, and joins words to such a line.
package shellwords
