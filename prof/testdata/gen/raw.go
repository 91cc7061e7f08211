package main

import "net"

func rawServe(c net.Conn) error {
	defer c.Close()
	m := make([]byte, messageSize)
	for {
		if err := readMessage(c, m); err != nil {
			return err
		}
		if err := writeMessage(c, m); err != nil {
			return err
		}
	}
}
