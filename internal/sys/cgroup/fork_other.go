//go:build !linux

package cgroup

import (
	"errors"
	"syscall"
)

// Fork always fails: there are no control groups here.
func (g Group) Fork(*syscall.SysProcAttr, func() error) error { return errors.ErrUnsupported }
