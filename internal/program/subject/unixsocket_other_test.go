//go:build !linux

package subject

const osHasSockets = false
