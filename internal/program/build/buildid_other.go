//go:build !linux

package build

import (
	"errors"
	"fmt"
	"runtime"
)

func executableOf(int) (path, name string, err error) {
	return "", "", fmt.Errorf("find the executable of a process on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}
