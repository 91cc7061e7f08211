//go:build !linux

package load_test

import "testing"

func allowedCPUs(*testing.T) []int { return []int{0} }
