// Package loadtest is what is shown of a load test: its numbers, latencies and conditions, and the search for a limit.
package loadtest
