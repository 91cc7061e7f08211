//go:build !linux

package preflight

func exhaust() {}
