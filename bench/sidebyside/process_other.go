//go:build !linux

package main

import "errors"

var errLinux = errors.New("this benchmark needs Linux")

func pinSelf(int) error { return errLinux }
