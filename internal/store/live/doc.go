// Package live carries what a measurement shows while it goes on to those who look at it, by way of a file in the
// ledger's directory. The measuring process writes the file and knows of no reader; a reader only reads. So looking
// cannot change, start or hang a measurement.
package live
