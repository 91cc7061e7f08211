// Package vitals is what a watcher knows of a running Go service at one moment: readings
// with the absence of each value explicit, a bounded history of them, and the arithmetic
// that makes rates and quantiles of what services count. It reads nothing itself.
package vitals
