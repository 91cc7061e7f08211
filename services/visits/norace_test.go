//go:build !race

package visits

const poolsForget = false
