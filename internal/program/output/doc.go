// Package output keeps what a program writes: the beginning and the end of its streams, from pipes that never fill up.
package output
