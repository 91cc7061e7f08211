//go:build !linux

package turns

// moveText is empty: threads are moved on Linux only.
const moveText = ""
