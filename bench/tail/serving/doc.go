// Package serving is what the services of the benchmark tail share: they listen, answer in one of
// several protocols, stamp their requests, and stop. Nothing here waits: what a request waits for
// stands in the package main of its service.
package serving
