// Command voicebox repeats frames: four bytes of length, then as many bytes. It counts what it hears.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"log"
	"net"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"corpus/truth"
)

const longest = 1 << 16

var errLong = errors.New("the frame is too long")

type voicebox struct{ frames, bytes atomic.Int64 }

func (p *voicebox) listen(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			if err := p.repeat(c); err != nil && !errors.Is(err, io.EOF) {
				log.Print(err)
			}
		}()
	}
}

func (p *voicebox) repeat(c net.Conn) error {
	in := bufio.NewReaderSize(c, 4096)
	frame := make([]byte, 0, 512)
	for {
		head, err := in.Peek(4)
		if err != nil {
			return err
		}
		t := truth.Begin()
		n := binary.BigEndian.Uint32(head)
		if n > longest {
			return errLong
		}
		if need := int(n) + 4; cap(frame) < need {
			frame = make([]byte, 0, need)
		}
		frame = frame[:n+4]
		if _, err := io.ReadFull(in, frame); err != nil {
			return err
		}
		p.frames.Add(1)
		p.bytes.Add(int64(n))
		for i := range frame[4:] {
			if b := frame[4+i]; b >= 'A' && b <= 'Z' {
				frame[4+i] = b + 'a' - 'A'
			}
		}
		wrote := t.Part("write")
		_, err = c.Write(frame)
		wrote()
		t.End()
		if err != nil {
			return err
		}
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	p := &voicebox{}
	go p.listen(l)
	sig := make(chan os.Signal, 1)
	signal.Notify(sig, syscall.SIGTERM)
	<-sig
	l.Close()
	log.Printf("%d frames, %d bytes", p.frames.Load(), p.bytes.Load())
	if err := truth.Save(); err != nil {
		log.Fatal(err)
	}
}
