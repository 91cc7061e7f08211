// Package gocommand runs the go command: its questions and answers, its environment, flags and toolchains, and a full
// disk as the cause of its failures.
package gocommand
