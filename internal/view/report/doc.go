// Package report writes text for terminals, and Markdown: what package model says is shown of a measurement, progress,
// and what the commands on the ledger say. It computes nothing that a reader could take for a result.
package report
