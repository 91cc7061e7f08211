// Command speaks takes readings of meters as frames of fixed size, and answers the mean of each meter.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"io"
	"log"
	"net"
	"sync"
)

// reading is a frame after its length.
type reading struct {
	Meter   uint32
	Kind    uint8
	Flags   uint8
	Volts   uint16
	Amperes int32
	At      int64
}

// reply is an answer after its length.
type reply struct {
	Meter uint32
	Mean  int64
	Count uint32
}

var errSize = errors.New("frame of another size")

type meter struct {
	sum   int64
	count uint32
}

// grid is the meters.
type grid struct {
	mu     sync.Mutex
	meters map[uint32]*meter
}

func (g *grid) note(r *reading) reply {
	g.mu.Lock()
	defer g.mu.Unlock()
	m := g.meters[r.Meter]
	if m == nil {
		m = new(meter)
		g.meters[r.Meter] = m
	}
	if m.count == 1000 {
		m.sum, m.count = m.sum/2, m.count/2
	}
	m.sum += int64(r.Volts) * int64(r.Amperes)
	m.count++
	return reply{Meter: r.Meter, Mean: m.sum / int64(m.count), Count: 1}
}

func receive(r io.Reader) (f reading, err error) {
	var size uint32
	if err := binary.Read(r, binary.LittleEndian, &size); err != nil { // want: binary-fixed
		return f, err
	}
	if int(size) != binary.Size(f) {
		return f, errSize
	}
	err = binary.Read(r, binary.LittleEndian, &f) // want: binary-fixed
	return f, err
}

func send(w io.Writer, a reply) error {
	if err := binary.Write(w, binary.LittleEndian, uint32(binary.Size(a))); err != nil { // want: binary-fixed
		return err
	}
	return binary.Write(w, binary.LittleEndian, a) // want: binary-fixed
}

func (g *grid) serve(rw *bufio.ReadWriter) error {
	for {
		f, err := receive(rw)
		if err != nil {
			return err
		}
		if err := send(rw, g.note(&f)); err != nil {
			return err
		}
		if rw.Reader.Buffered() == 0 {
			if err := rw.Flush(); err != nil {
				return err
			}
		}
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:7575", "`host:port` to listen on")
	flag.Parse()
	ln, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	g := &grid{meters: map[uint32]*meter{}}
	for {
		conn, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer conn.Close()
			_ = g.serve(bufio.NewReadWriter(bufio.NewReader(conn), bufio.NewWriter(conn))) // the client closed
		}()
	}
}
