// Package results holds what measurements of hours share: a file of results, a line for
// each trial, with which an interrupted measurement goes on; and the parts of the document
// that is made from that file alone.
package results
