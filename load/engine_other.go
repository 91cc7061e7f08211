//go:build !linux

package load

import "net"

// eventLoopTakes: the event loop runs on Linux only.
func eventLoopTakes([]net.Conn) bool { return false }

func startEventLoop(set setup) (engine, error) { return startPortable(set) }
