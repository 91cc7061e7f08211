//go:build !linux

package syncs

import (
	"context"

	"github.com/gohone/hone/internal/conduct/gobench/process"
)

// Count is not there on this system: its error is ErrUnsupported.
func Count(context.Context, process.Program, ...string) (int, error) { return 0, ErrUnsupported }
