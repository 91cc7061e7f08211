// Command silent answers each request of one name with a page of the archive. It writes without a
// buffer, but header and page together in one call: net.Buffers becomes writev.
package main

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net"
	"strings"
)

type archive [][]byte

func newArchive(n int) archive {
	a := make(archive, n)
	for i := range a {
		a[i] = []byte(strings.Repeat(fmt.Sprintf("line of page %d\n", i), 40))
	}
	return a
}

func (a archive) page(name []byte) []byte {
	h := fnv.New32a()
	h.Write(name)
	return a[h.Sum32()%uint32(len(a))]
}

func (a archive) serve(conn *net.TCPConn) error {
	in := bufio.NewReader(conn)
	head, name := make([]byte, 4), make([]byte, 64)
	parts := make([][]byte, 0, 2)
	for {
		if _, err := io.ReadFull(in, head); err != nil {
			return err
		}
		n := binary.BigEndian.Uint32(head)
		if int(n) > len(name) {
			return io.ErrShortBuffer
		}
		if _, err := io.ReadFull(in, name[:n]); err != nil {
			return err
		}
		page := a.page(name[:n])
		binary.BigEndian.PutUint32(head, uint32(len(page)))
		bufs := net.Buffers(append(parts[:0], head, page))
		if _, err := bufs.WriteTo(conn); err != nil {
			return err
		}
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:7171", "`host:port` to listen on")
	flag.Parse()
	ln, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	a := newArchive(64)
	for {
		conn, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer conn.Close()
			_ = a.serve(conn.(*net.TCPConn)) // the client closed
		}()
	}
}
