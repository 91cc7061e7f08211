// Package packed has the stored form of a slice of load: what the load counted, its distributions packed, and what of a
// program was measured meanwhile. The ledger and recordings keep slices in this form, and agents send it.
package packed
