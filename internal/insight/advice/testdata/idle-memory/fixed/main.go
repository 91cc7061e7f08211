// Command fixed keeps many devices connected, which rarely say something: a message of up to 32 KiB,
// answered with its checksum.
package main

import (
	"encoding/binary"
	"errors"
	"flag"
	"hash/crc32"
	"io"
	"log"
	"net"
	"sync"
	"sync/atomic"
)

const largest = 32 << 10

var errLarge = errors.New("message too large")

// hub counts devices.
type hub struct{ connected atomic.Int64 }

// device is a connection.
type device struct {
	conn net.Conn
	head [8]byte
}

func attach(conn net.Conn) *device {
	return &device{conn: conn}
}

// texts are lent while a message is read.
var texts = sync.Pool{New: func() any { return new([largest]byte) }}

func (d *device) receive() (sum uint32, err error) {
	if _, err := io.ReadFull(d.conn, d.head[:4]); err != nil {
		return 0, err
	}
	n := binary.BigEndian.Uint32(d.head[:])
	if n > largest {
		return 0, errLarge
	}
	text := texts.Get().(*[largest]byte)
	defer texts.Put(text)
	_, err = io.ReadFull(d.conn, text[:n])
	return crc32.ChecksumIEEE(text[:n]), err
}

func (d *device) confirm(sum uint32) error {
	binary.BigEndian.PutUint32(d.head[:], 4)
	binary.BigEndian.PutUint32(d.head[4:], sum)
	_, err := d.conn.Write(d.head[:])
	return err
}

func (h *hub) serve(conn net.Conn) {
	defer conn.Close()
	h.connected.Add(1)
	defer h.connected.Add(-1)
	d := attach(conn)
	for {
		sum, err := d.receive()
		if err != nil {
			return
		}
		if err := d.confirm(sum); err != nil {
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
