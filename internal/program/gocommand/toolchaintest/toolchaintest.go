package toolchaintest

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/gocommand"
)

// Need makes a Go release available, or skips the test: the first use of a release is
// a download of 70 MB.
func Need(t *testing.T, release string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	err := gocommand.CheckAvailable(ctx, append(os.Environ(), "GOTOOLCHAIN="+release), t.TempDir())
	if err != nil {
		t.Skipf("needs %s, which is neither in the module cache nor available from GOPROXY: %v", release, err)
	}
}
