package usage

import (
	"fmt"

	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/text/fail"
)

// Tree names the processes of a program that runs, so that another process of this user can
// read what they use.
type Tree struct {
	// Guard is the parent of all of them, Main the program's main process.
	Guard, Main int
}

// Usage returns what reads the usage of the tree, from this call on: what processes used
// that had ended before is not in it. It fails, with kind Subject, when none is left.
func (t Tree) Usage() func() (Reading, error) {
	a := NewAccount(func() ([]int, error) { return processes.Below(t.Guard, t.Main), nil },
		func() int { return t.Guard })
	return func() (Reading, error) {
		u, err := a.Read(Everything)
		if err == nil && u.Processes == 0 {
			err = fail.New(fail.Subject, "read counters: no process is left below the guard, %d", t.Guard)
		}
		if err != nil {
			return u, fmt.Errorf("tree of PID %d: %w", t.Main, err)
		}
		return u, nil
	}
}
