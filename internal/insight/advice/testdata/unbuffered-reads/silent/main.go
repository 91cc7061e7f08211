// Command silent stores blobs over TCP: a frame of four bytes of length and up to 64 KiB. It reads
// from the connection itself, but its bodies are large: a buffer between them would save no call.
package main

import (
	"encoding/binary"
	"flag"
	"hash/crc32"
	"io"
	"log"
	"net"
	"sync/atomic"
)

const largest = 64 << 10

// depot counts what came, by the lowest bits of its checksum.
type depot struct{ shelves [256]atomic.Int64 }

func (d *depot) store(blob []byte) uint32 {
	sum := crc32.Checksum(blob, crc32.MakeTable(crc32.Castagnoli))
	d.shelves[sum&255].Add(int64(len(blob)))
	return sum
}

func (d *depot) serve(conn net.Conn) error {
	blob := make([]byte, largest)
	reply := make([]byte, 8)
	for {
		if _, err := io.ReadFull(conn, reply[:4]); err != nil {
			return err
		}
		n := binary.BigEndian.Uint32(reply)
		if n > largest {
			return io.ErrShortBuffer
		}
		if _, err := io.ReadFull(conn, blob[:n]); err != nil {
			return err
		}
		binary.BigEndian.PutUint32(reply, 4)
		binary.BigEndian.PutUint32(reply[4:], d.store(blob[:n]))
		if _, err := conn.Write(reply); err != nil {
			return err
		}
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:7070", "`host:port` to listen on")
	flag.Parse()
	ln, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	var d depot
	for {
		conn, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer conn.Close()
			_ = d.serve(conn) // the client closed, or sent too much
		}()
	}
}
