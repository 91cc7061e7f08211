//go:build !unix

package chat

import (
	"errors"
	"net"
	"syscall"
)

// rawOf returns nil: here all reads and writes go through conn.
func rawOf(net.Conn) syscall.RawConn { return nil }

func tryRead(uintptr, []byte) (int, error)  { return 0, errors.ErrUnsupported }
func tryWrite(uintptr, []byte) (int, error) { return 0, errors.ErrUnsupported }
