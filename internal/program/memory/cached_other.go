//go:build !linux

package memory

import "errors"

var errNoCacheStat = errors.New("it takes Linux 6.5")

func cachedOf(int, map[uint64]bool) (*Cached, error) { return nil, errNoCacheStat }
