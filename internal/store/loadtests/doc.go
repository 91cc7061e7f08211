// Package loadtests has the document of a load test, and what a search for the highest rate found.
package loadtests
