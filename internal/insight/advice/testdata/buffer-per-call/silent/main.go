// Command silent takes uploads over TCP, each with four bytes of length, and answers how many lines
// and bytes there were, and their checksum. Its large buffer is made once for each connection.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"hash/crc64"
	"io"
	"log"
	"net"
)

const step = 48 << 10

var table = crc64.MakeTable(crc64.ECMA)

type summary struct {
	Lines, Bytes uint32
	Sum          uint64
}

// digest reads n bytes.
func digest(r io.Reader, part []byte, n int) (s summary, err error) {
	for n > 0 {
		p := part[:min(n, len(part))]
		if _, err := io.ReadFull(r, p); err != nil {
			return s, err
		}
		s.Bytes += uint32(len(p))
		s.Lines += uint32(bytes.Count(p, []byte{'\n'}))
		s.Sum = crc64.Update(s.Sum, table, p)
		n -= len(p)
	}
	return s, nil
}

func uploads(conn net.Conn) error {
	part := make([]byte, step)
	head := make([]byte, 4)
	reply := make([]byte, 0, 20)
	for {
		if _, err := io.ReadFull(conn, head); err != nil {
			return err
		}
		s, err := digest(conn, part, int(binary.BigEndian.Uint32(head)))
		if err != nil {
			return err
		}
		reply = binary.BigEndian.AppendUint32(reply[:0], 16)
		reply = binary.BigEndian.AppendUint32(reply, s.Lines)
		reply = binary.BigEndian.AppendUint32(reply, s.Bytes)
		reply = binary.BigEndian.AppendUint64(reply, s.Sum)
		if _, err := conn.Write(reply); err != nil {
			return err
		}
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:7373", "`host:port` to listen on")
	flag.Parse()
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
			if err := uploads(conn); !errors.Is(err, io.EOF) {
				log.Print(err)
			}
		}()
	}
}
