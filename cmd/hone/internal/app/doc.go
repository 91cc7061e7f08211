// Package app is what the commands of hone share: where they write, the ledger that they open, what they read of a
// command line, of hone.yaml and of stored runs and profiles, and how a measurement ends.
package app
