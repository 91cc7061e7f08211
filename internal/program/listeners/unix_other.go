//go:build !linux

package listeners

// peerOf is 0: the owner of a Unix socket is not looked up here.
func peerOf(int) int { return 0 }

func OfUnix(int, func() ([]int, error)) ([]Listener, error) { return nil, nil }
