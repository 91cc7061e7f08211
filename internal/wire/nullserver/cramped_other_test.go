//go:build !linux

package nullserver

const crampedEnv = "NULLSERVER_TEST_CRAMPED"

func cramped() {}
