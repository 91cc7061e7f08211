// Package svg draws flame graphs as pictures that need nothing else.
package svg
