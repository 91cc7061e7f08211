// Package tap copies samples of what goes over the first connections, so that the answers of two variants can be
// compared.
//
// It knows protocols by three small interfaces (read.go), and reads frames of HTTP/2 and 3 by their packages. Between
// samples it allocates nothing (TestTapAllocatesNothingBetweenSamples).
package tap
