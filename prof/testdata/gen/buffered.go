package main

import (
	"bufio"
	"net"
)

func bufferedServe(c net.Conn) error {
	defer c.Close()
	r, w := bufio.NewReader(c), bufio.NewWriter(c)
	m := make([]byte, messageSize)
	for {
		if err := readMessage(r, m); err != nil {
			return err
		}
		if err := writeMessage(w, m); err != nil {
			return err
		}
		if r.Buffered() < messageSize {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}
