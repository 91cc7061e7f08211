package lifetime

import (
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/sys/cgroup"
)

// Hone marks each subject, build and benchmark with a variable in its environment, which
// its descendants inherit, whatever session or parent they choose. The mark finds those
// that have lost hone and what guards them at once: the next hone ends them. It does not
// find a process that was started with an environment of its own (env -i, sudo).

// MarkVariable tells whose descendant a process is: see mark.
const MarkVariable = "HONE_SUBJECT"

// identity is a process for all time since boot: numbers are used again.
type identity struct {
	space uint64 // its PID namespace; the number means nothing in another
	pid   int
	born  uint64 // start time, clock ticks since boot
}

// mark is "NAMESPACE-PID-START-RANDOM": the hone that started the subject, and which of
// its subjects it is. All marks of one hone have the same length, since the size of the
// environment can move a program's speed (Mytkowicz et al. 2009).
func (i identity) mark() string {
	return fmt.Sprintf("%d-%d-%d-%s", i.space, i.pid, i.born, strings.ToLower(rand.Text()[:8]))
}

// parseMark reads the owner of a mark; false if it is none.
func parseMark(text string) (owner identity, ok bool) {
	var random string
	n, err := fmt.Sscanf(text, "%d-%d-%d-%s", &owner.space, &owner.pid, &owner.born, &random)
	return owner, n == 4 && err == nil && owner.pid > 0
}

// NewMark is the mark of a new subject; empty where marks mean nothing.
func NewMark() string {
	self, err := self()
	if err != nil {
		return ""
	}
	return self.mark()
}

// EndOrphans sends KILL to all processes of this user that a hone which is gone has left,
// and returns a sentence that says so; empty if there were none. It looks at every process
// of the user, which takes some 10 microseconds each. Those of other PID namespaces
// (containers) are left alone. On systems other than Linux it finds none.
func EndOrphans() string {
	defer cgroup.Sweep()
	own, err := self()
	if err != nil {
		return ""
	}
	n := EndMarked(func(text string) bool {
		owner, ok := parseMark(text)
		return ok && owner.space == own.space && !owner.lives()
	})
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("ended %d process(es) of an earlier run, whose hone was killed", n)
}
