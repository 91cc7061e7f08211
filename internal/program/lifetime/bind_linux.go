package lifetime

import "syscall"

// dieWithHone asks for SIGKILL when the thread that starts the process ends.
func dieWithHone(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
