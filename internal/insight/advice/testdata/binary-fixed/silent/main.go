// Command silent looks numbers up in an index. It reads the header of the index by binary.Read when it
// starts, and again every second; requests are read by fixed offsets.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"flag"
	"io"
	"log"
	"net"
	"sync/atomic"
	"time"
)

type header struct {
	Magic   [4]byte
	Version uint16
	Entries uint32
}

// index is a header and then numbers.
type index struct {
	file    []byte
	entries atomic.Uint32
}

func newIndex(n int) *index {
	file := append([]byte("IDX1"), 1, 0)
	file = binary.LittleEndian.AppendUint32(file, uint32(n))
	for i := range n {
		file = binary.LittleEndian.AppendUint64(file, uint64(i*i))
	}
	return &index{file: file}
}

func (x *index) load() error {
	var h header
	if err := binary.Read(bytes.NewReader(x.file), binary.LittleEndian, &h); err != nil {
		return err
	}
	x.entries.Store(h.Entries)
	return nil
}

func (x *index) look(i uint32) uint64 {
	if i >= x.entries.Load() {
		return 0
	}
	return binary.LittleEndian.Uint64(x.file[10+8*i:])
}

func (x *index) serve(conn net.Conn) error {
	in := bufio.NewReader(conn)
	head, out := make([]byte, 8), make([]byte, 0, 16)
	for {
		if _, err := io.ReadFull(in, head); err != nil {
			return err
		}
		out = binary.LittleEndian.AppendUint32(out[:0], 8)
		out = binary.LittleEndian.AppendUint64(out, x.look(binary.LittleEndian.Uint32(head[4:])))
		if _, err := conn.Write(out); err != nil {
			return err
		}
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:7575", "`host:port` to listen on")
	flag.Parse()
	x := newIndex(10000)
	if err := x.load(); err != nil {
		log.Fatal(err)
	}
	go func() {
		for range time.Tick(time.Second) {
			if err := x.load(); err != nil {
				log.Print(err)
			}
		}
	}()
	ln, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	for {
		conn, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer conn.Close()
			_ = x.serve(conn) // the client closed
		}()
	}
}
