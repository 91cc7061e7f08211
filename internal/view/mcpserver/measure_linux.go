package mcpserver

import "syscall"

// endWithParent has a measurement interrupted when the server is killed.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }
