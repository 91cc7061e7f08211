//go:build !linux

package nullserver

import (
	"errors"
	"net"
)

// loopTakes: the event loop runs on Linux only.
func loopTakes(net.Listener) bool { return false }

func startLoop(net.Listener, Options) (stop func() error, err error) {
	return nil, errors.New("start event loop: this system has none")
}
