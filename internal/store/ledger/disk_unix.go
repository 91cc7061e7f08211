//go:build linux || darwin || freebsd

package ledger

import "golang.org/x/sys/unix"

// writable says why files cannot be made in dir, or nil. It asks the kernel
// (access(2)) and writes nothing.
func writable(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }
