//go:build !linux

package mcpserver

import "syscall"

// endWithParent does nothing: other systems do not tell a process that its parent was killed.
func endWithParent(*syscall.SysProcAttr) {}
