// Command silent keeps many devices connected, which rarely say something: a message of up to a
// kilobyte, answered with its checksum. A connection has two kilobytes, less than its goroutine and socket.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"hash/crc32"
	"io"
	"log"
	"net"
	"sync/atomic"
)

const largest = 1 << 10

var errLarge = errors.New("message too large")

// hub counts devices.
type hub struct{ connected atomic.Int64 }

// device is a connection.
type device struct {
	in   *bufio.Reader
	out  *bufio.Writer
	text []byte
}

func attach(conn net.Conn) *device {
	return &device{
		in:   bufio.NewReaderSize(conn, largest),
		out:  bufio.NewWriterSize(conn, 16),
		text: make([]byte, 512),
	}
}

func (d *device) receive() ([]byte, error) {
	head, err := d.in.Peek(4)
	if err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head)
	if n > 512 {
		return nil, errLarge
	}
	if _, err := d.in.Discard(4); err != nil {
		return nil, err
	}
	_, err = io.ReadFull(d.in, d.text[:n])
	return d.text[:n], err
}

func (d *device) confirm(text []byte) error {
	b := d.out.AvailableBuffer()
	b = binary.BigEndian.AppendUint32(b, 4)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(text))
	if _, err := d.out.Write(b); err != nil {
		return err
	}
	return d.out.Flush()
}

func (h *hub) serve(conn net.Conn) {
	defer conn.Close()
	h.connected.Add(1)
	defer h.connected.Add(-1)
	d := attach(conn)
	for {
		text, err := d.receive()
		if err != nil {
			return
		}
		if err := d.confirm(text); err != nil {
			return
		}
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:7474", "`host:port` to listen on")
	flag.Parse()
	ln, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	h := new(hub)
	for {
		conn, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go h.serve(conn)
	}
}
