package git

import (
	"fmt"
	"strings"
	"syscall"
)

// ended is how a git command ended, with the error of the system that its words name: a full disk is no fault of the
// repository, and none of hone.
type ended struct {
	error
	cause error // nil where its words name none
}

func (e *ended) Unwrap() []error {
	if e.cause == nil {
		return []error{e.error}
	}
	return []error{e.error, e.cause}
}

// systemErrors are those that git meets when it writes. Its words are those of strerror(3) in the C locale, which Go
// has in lower case.
var systemErrors = []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO}

// endOf is the error of a command with what it wrote to stderr.
func endOf(command string, err error, said string) error {
	e := &ended{error: fmt.Errorf("git %s: %w: %s", command, err, said)}
	for _, one := range systemErrors {
		if strings.Contains(strings.ToLower(said), one.Error()) {
			e.cause = one
		}
	}
	return e
}
