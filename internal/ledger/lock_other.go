//go:build !linux && !darwin && !freebsd

package ledger

import (
	"os"

	"github.com/gohone/hone/internal/fail"
)

// tryLock refuses: a writer without a lock could damage the ledger.
func tryLock(*os.File) error {
	return fail.New(fail.Environment, "lock ledger: this system has no file lock that hone knows").
		WithHint("write the ledger on Linux or macOS; reading works here")
}
