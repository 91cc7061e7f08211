// Command fixed counts votes that arrive over TCP and answers each with the tally so far.
package main

import (
	"bufio"
	"encoding/binary"
	"flag"
	"io"
	"log"
	"net"
	"sync"
)

// tally counts votes by name.
type tally struct {
	mu    sync.Mutex
	votes map[string]uint64
}

func (t *tally) add(name []byte) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.votes[string(name)] + 1
	t.votes[string(name)] = n
	return n
}

// link is one connection.
type link struct {
	r    *bufio.Reader
	w    *bufio.Writer
	name [64]byte
}

func (l *link) receive() ([]byte, error) {
	head, err := l.r.Peek(4)
	if err != nil {
		return nil, err
	}
	n := int(binary.BigEndian.Uint32(head))
	if n > len(l.name) {
		return nil, io.ErrShortBuffer
	}
	l.r.Discard(4)
	_, err = io.ReadFull(l.r, l.name[:n])
	return l.name[:n], err
}

func (l *link) reply(n uint64) error {
	var b [12]byte
	binary.BigEndian.PutUint32(b[:], 8)
	binary.BigEndian.PutUint64(b[4:], n)
	_, err := l.w.Write(b[:])
	return err
}

func (t *tally) handle(conn net.Conn) {
	defer conn.Close()
	l := &link{r: bufio.NewReader(conn), w: bufio.NewWriter(conn)}
	defer l.w.Flush()
	for {
		name, err := l.receive()
		if err != nil {
			return
		}
		if err := l.reply(t.add(name)); err != nil {
			return
		}
		if err := l.w.Flush(); err != nil {
			return
		}
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:7272", "`host:port` to listen on")
	flag.Parse()
	ln, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	t := &tally{votes: map[string]uint64{}}
	for {
		conn, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go t.handle(conn)
	}
}
