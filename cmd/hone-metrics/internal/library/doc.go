// Package library is Prometheus' time series database and query engine over the scrapes that hone keeps of its runs
// (internal/program/metrics): each run becomes a database of its own, in a temporary directory, and queries over
// several runs merge them.
package library
