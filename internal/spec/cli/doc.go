// Package cli is what hone and its extensions (hone-NAME) have in common on a command line: the filter in front of the
// terminal, signals, what an error says and its exit code, documents as JSON, and the version.
package cli
