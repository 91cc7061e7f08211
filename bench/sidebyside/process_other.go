//go:build !linux

package main

import (
	"errors"
	"time"
)

var errLinux = errors.New("this benchmark needs Linux")

func cpuTime(int) (time.Duration, error) { return 0, errLinux }

func pinSelf(int) error { return errLinux }
