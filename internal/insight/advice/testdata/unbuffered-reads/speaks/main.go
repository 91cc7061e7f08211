// Command speaks serves values by key over TCP. A request is a frame: four bytes of length, one of
// the operation, two of the key's length, the key.
package main

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net"
	"sync"
)

const maxKey = 1 << 10

var errFrame = errors.New("bad frame")

// shelf holds the values.
type shelf struct {
	mu    sync.RWMutex
	items map[string][]byte
}

func newShelf(n int) *shelf {
	s := &shelf{items: make(map[string][]byte, n)}
	for i := range n {
		s.items[fmt.Sprintf("item-%04d", i)] = fmt.Appendf(nil, "value %d of the shelf, and what else it says", i)
	}
	return s
}

func (s *shelf) lookup(key []byte) ([]byte, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.items[string(key)]
	return v, ok
}

// peer is one client.
type peer struct {
	conn net.Conn
	src  io.Reader
	head [4]byte
	key  []byte
	out  []byte
}

func newPeer(conn net.Conn) *peer {
	return &peer{conn: conn, src: conn, key: make([]byte, maxKey), out: make([]byte, 0, 256)}
}

// next reads one request.
func (p *peer) next() (op byte, key []byte, err error) {
	if _, err = io.ReadFull(p.src, p.head[:4]); err != nil { // want: unbuffered-reads
		return 0, nil, err
	}
	size := binary.BigEndian.Uint32(p.head[:4])
	if _, err = io.ReadFull(p.src, p.head[:1]); err != nil {
		return 0, nil, err
	}
	op = p.head[0]
	if _, err = io.ReadFull(p.src, p.head[:2]); err != nil {
		return 0, nil, err
	}
	n := int(binary.BigEndian.Uint16(p.head[:2]))
	if n > maxKey || uint32(n)+3 != size {
		return 0, nil, errFrame
	}
	key = p.key[:n]
	_, err = io.ReadFull(p.src, key)
	return op, key, err
}

// answer sends a status, the value and its checksum.
func (p *peer) answer(status byte, value []byte) error {
	p.out = binary.BigEndian.AppendUint32(p.out[:0], uint32(1+len(value)+4))
	p.out = append(p.out, status)
	p.out = append(p.out, value...)
	p.out = binary.BigEndian.AppendUint32(p.out, crc32.ChecksumIEEE(value))
	_, err := p.conn.Write(p.out)
	return err
}

func (p *peer) run(s *shelf) error {
	for {
		op, key, err := p.next()
		if err != nil {
			return err
		}
		status, value := byte(1), []byte(nil)
		if op == 1 {
			if v, ok := s.lookup(key); ok {
				status, value = 0, v
			}
		}
		if err := p.answer(status, value); err != nil {
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
	s := newShelf(1000)
	for {
		conn, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer conn.Close()
			if err := newPeer(conn).run(s); err != nil && !errors.Is(err, io.EOF) {
				log.Print(err)
			}
		}()
	}
}
