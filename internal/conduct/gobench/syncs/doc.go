// Package syncs counts how often a program asks for what it wrote to be on the disk: fsync and what is like it. The
// kernel stops the program at each system call and says which one it is (ptrace), so no program can leave out a call
// unseen, and none runs at its usual speed.
package syncs

import "errors"

// ErrUnsupported is wrapped where this system, or its settings, let no process follow another.
var ErrUnsupported = errors.New("system calls cannot be counted here")
