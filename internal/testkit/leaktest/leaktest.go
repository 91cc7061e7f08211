// Package leaktest fails tests that leave goroutines or descriptors behind.
package leaktest

import (
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// None fails the test if it leaves goroutines or descriptors behind.
func None(t *testing.T) {
	t.Helper()
	before := openFDs(t)
	ignore := goleak.IgnoreCurrent()
	t.Cleanup(func() {
		goleak.VerifyNone(t, ignore)
		if after := openFDs(t); after > before {
			t.Errorf("%d descriptors open before the test, %d after", before, after)
		}
	})
}

// openFDs counts this process's descriptors, other than those that the runtime keeps for good (epoll and its event
// descriptor, opened on first use).
func openFDs(t *testing.T) int {
	t.Helper()
	dir, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Skipf("count descriptors: %v", err)
	}
	n := 0
	for _, e := range dir {
		link, _ := os.Readlink("/dev/fd/" + e.Name())
		if !strings.HasPrefix(link, "anon_inode:[event") {
			n++
		}
	}
	return n
}
