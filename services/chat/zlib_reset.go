package chat

import (
	"bytes"
	"compress/zlib"
	"io"
	"sync"
)

// openZlibReset keeps zlib's writers and readers and resets them for each message. They
// are in a pool for all connections, which holds about as many as messages are worked
// on at the same time: one per processor, not one per connection.
//
// It is the fix. The collector's share of the CPU goes to next to nothing; what is left
// is compressing, once per recipient, and Syscall.
func openZlibReset(s *Server) func(*peer) error {
	pool := &sync.Pool{New: func() any { return newCodec() }}
	return func(p *peer) error {
		own := &session{server: s, peer: p}
		defer own.leave()
		return converse(own, &zlibReset{buffers: newBuffers(own), pool: pool})
	}
}

type zlibReset struct {
	*buffers
	pool *sync.Pool
	text []byte
}

func (z *zlibReset) inflate(stream []byte) (text []byte, err error) {
	c := z.pool.Get().(*codec)
	defer z.pool.Put(c)
	z.text, err = c.inflate(z.text[:0], stream, zlib.NewReader)
	return z.text, err
}

func (z *zlibReset) tell(to *peer, m *message) {
	if z.server.cfg.Stored {
		z.out = appendStored(appendBroadcastHead(z.out[:0], m, len(m.text)+storedOverhead), m.text)
	} else {
		c := z.pool.Get().(*codec)
		z.out = appendBroadcast(z.out[:0], m, c.deflate(m.text))
		z.pool.Put(c) // before the write, which may wait for the recipient
	}
	to.Write(z.out)
}

// codec is a zlib writer and reader to use again and again.
type codec struct {
	inflater
	out bytes.Buffer
	w   *zlib.Writer
}

func newCodec() *codec {
	c := new(codec)
	c.w = zlib.NewWriter(&c.out)
	return c
}

// deflate compresses text. The stream is the caller's until the next call.
func (c *codec) deflate(text []byte) []byte {
	c.out.Reset()
	c.w.Reset(&c.out)
	c.w.Write(text) // a bytes.Buffer takes everything
	c.w.Close()
	return c.out.Bytes()
}

// inflater is a zlib reader to use again and again.
type inflater struct {
	in bytes.Reader
	r  io.ReadCloser // nil until a stream's header was good
}

// inflate appends the text of stream to dst, which is empty. open makes the reader.
func (f *inflater) inflate(dst, stream []byte, open func(io.Reader) (io.ReadCloser, error)) ([]byte, error) {
	f.in.Reset(stream)
	var err error
	if f.r == nil {
		f.r, err = open(&f.in)
	} else {
		err = f.r.(zlib.Resetter).Reset(&f.in, nil)
	}
	if err != nil {
		return dst, errBadText
	}
	dst, err = readText(dst, f.r)
	return dst, endOfStream(&f.in, err)
}
