//go:build !linux

package main

// rssUnit is what Rusage.Maxrss counts in on macOS.
const rssUnit = 1
