// Package answers says whether two variants answer the same requests in the same way: what is faster and answers
// otherwise is not the same program. Compare holds the answers of B against those of A. What differs between equal
// requests to A itself is left out: times, counters, identifiers.
//
// It is arithmetic on what was sampled: no network, no clock and no file.
package answers
