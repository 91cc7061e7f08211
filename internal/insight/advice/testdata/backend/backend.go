// Package backend is what the trial programs ask over a loopback port: a server of lines in the same
// process that answers after some time and does little meanwhile.
package backend

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"time"
)

// Start listens on a free port until the process ends. Each line is answered after some time with
// "re:" before it. Lines of one connection may overtake each other.
func Start(after time.Duration) (address string, err error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("start backend: %w", err)
	}
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return // the process ends
			}
			go answer(conn, after)
		}
	}()
	return ln.Addr().String(), nil
}

// answer ends when the client closes. What it started writes to a closed connection then.
func answer(conn net.Conn, after time.Duration) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		time.AfterFunc(after, func() {
			_, _ = conn.Write(append([]byte("re:"), bytes.TrimSpace(line)...))
			_, _ = conn.Write([]byte{'\n'})
		})
	}
}
