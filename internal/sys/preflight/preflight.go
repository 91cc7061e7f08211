// Package preflight checks before a load test what would break it half-way: too few file
// descriptors, local ports or bytes of memory, or source addresses of other machines.
//
// It refuses only what cannot work. It skips what it cannot find out (systems other than
// Linux tell less): then opening the connections will tell.
package preflight

import (
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// Need is what a load test asks of this machine.
type Need struct {
	// Connections is how many are open at once, 0 or more.
	Connections int
	// OtherFiles is how many files are open besides: results, pipes, the runtime's own.
	OtherFiles int
	// Sources are the addresses that connections leave from, in turn; empty leaves the
	// choice to the system.
	Sources []netip.Addr
	// Target is host:port; "" for a Unix socket, which needs no port and no source. A
	// host that does not resolve is not checked: connecting says it better.
	Target string
	// MemoryBytes is the estimate of what the test takes; 0 means not known.
	MemoryBytes uint64
}

// Check returns nil or a *fail.Error of kind Environment that names everything that
// falls short, what is needed compared with what there is, and what to do. It opens and closes
// sockets on the sources, sends nothing to the target and changes no limit.
func Check(n Need) error {
	m := machine{files: os.DirFS("/")}
	faults := []*fail.Error{checkFiles(n)}
	if n.Target != "" {
		targets := resolve(n.Target)
		bad := checkSources(n.Sources, targets)
		faults = append(faults, bad)
		if bad == nil {
			faults = append(faults, m.checkPorts(n, targets))
		}
	}
	return join(append(faults, m.checkMemory(n)))
}

// machine is this machine as its /proc and /sys tell.
type machine struct{ files fs.FS }

// join makes one error of those that are not nil.
func join(faults []*fail.Error) error {
	var causes []error
	var hints []string
	for _, f := range faults {
		if f != nil {
			causes, hints = append(causes, f.Err), append(hints, f.Hint)
		}
	}
	if len(causes) == 0 {
		return nil
	}
	return fail.New(fail.Environment, "%w", errors.Join(causes...)).WithHint("%s", strings.Join(hints, "; "))
}
