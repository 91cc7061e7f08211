// Package record has the documents of measurements, as the ledger keeps them and --json prints them: runs, executions
// of programs to their end, comparisons, and the parts that they share.
//
// internal/conduct fills them, internal/view reads them. A document knows its JSON and what follows from its own
// fields; it measures nothing and decides nothing.
package record
