// Package report renders what lab returns as text for a terminal: verdicts, runs,
// history and progress. It computes nothing that a reader could take for a result.
package report
