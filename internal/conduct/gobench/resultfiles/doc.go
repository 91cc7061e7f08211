// Package resultfiles reads files of benchmark results and compares them as benchstat does.
package resultfiles
