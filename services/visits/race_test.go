//go:build race

package visits

// The race detector has sync.Pool drop what is put back, at random.
const poolsForget = true
