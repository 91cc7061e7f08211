//go:build !linux

package lifetime

import "syscall"

// dieWithHone does nothing: only Linux has a death signal. A killed hone leaves its build
// to end by itself.
func dieWithHone(*syscall.SysProcAttr) {}
