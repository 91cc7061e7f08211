// Package vitals holds what is known of a running Go service at one moment: readings in which
// each value may be absent, a bounded history of them, and the arithmetic that makes rates
// and quantiles of a service's counters. It reads nothing itself.
package vitals
