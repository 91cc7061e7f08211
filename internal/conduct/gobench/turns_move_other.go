//go:build !linux

package gobench

// moveText is empty: threads are moved on Linux only.
const moveText = ""
