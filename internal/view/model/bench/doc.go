// Package bench is what is shown of benchmarks: one sentence for all of them, what changed and what is left open, and
// the comparison that pages show.
package bench
