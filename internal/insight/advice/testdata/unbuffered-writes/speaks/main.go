// Command speaks answers each request of one symbol with the quotes that come next to it.
package main

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"sort"

	"github.com/gohone/hone/internal/insight/advice/testdata/unbuffered-writes/speaks/wire"
)

// board is the quotes, by name.
type board []wire.Quote

func newBoard(n int) board {
	b := make(board, n)
	for i := range b {
		b[i] = wire.Quote{Name: fmt.Sprintf("SYM%04d", i), Bid: int64(10000 + i*7), Ask: int64(10010 + i*7)}
	}
	return b
}

func (b board) near(name string, n int) []wire.Quote {
	i := sort.Search(len(b), func(i int) bool { return b[i].Name >= name })
	i = min(i, len(b)-n)
	return b[i : i+n]
}

type session struct {
	board board
	in    *bufio.Reader
	out   io.Writer
	name  [32]byte
}

func (s *session) step() error {
	head, err := s.in.Peek(4)
	if err != nil {
		return err
	}
	n := int(binary.BigEndian.Uint32(head))
	if n > len(s.name) {
		return fmt.Errorf("symbol of %d bytes", n)
	}
	if _, err := s.in.Discard(4); err != nil {
		return err
	}
	if _, err := io.ReadFull(s.in, s.name[:n]); err != nil {
		return err
	}
	return wire.Send(s.out, s.board.near(string(s.name[:n]), 3)) // want: unbuffered-writes
}

func serve(conn net.Conn, b board) {
	defer conn.Close()
	s := &session{board: b, in: bufio.NewReader(conn), out: conn}
	for {
		if err := s.step(); err != nil {
			return
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
	b := newBoard(500)
	for {
		conn, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(conn, b)
	}
}
