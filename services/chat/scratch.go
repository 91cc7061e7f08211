package chat

import (
	"bytes"

	"github.com/klauspost/compress/zlib"
)

// scratch is the memory that one goroutine of the stage final works with. About as many
// are in use as there are processors.
type scratch struct {
	buf [2 * MaxFrame]byte // the front of a frame, and what is read after it
	in  []byte             // what of it is to be worked on

	packet  Packet
	message message

	// What has been collected since the last flush.
	frames            []byte // broadcasts for the sender's room
	acks              []byte
	lines             []byte // of the journal
	requests, refused int

	text     []byte
	inflater inflater
	sink     bytes.Buffer
	w        *zlib.Writer
}

func newScratch() *scratch { return new(scratch) }

// clear forgets what was collected.
func (d *scratch) clear() {
	d.frames, d.acks, d.lines = d.frames[:0], d.acks[:0], d.lines[:0]
	d.requests, d.refused = 0, 0
}

// inflate returns the text of stream, until the next call or the next read.
func (d *scratch) inflate(stream []byte) ([]byte, error) {
	if text, ok := storedText(stream); ok {
		return text, nil
	}
	text, err := d.inflater.inflate(d.text[:0], stream, zlib.NewReader)
	if err != nil {
		return nil, err
	}
	d.text = text
	return text, nil
}

// appendFrame appends m as a broadcast frame: stored if it is small, if compressing it saves
// nothing, or if all texts are to be stored.
func (d *scratch) appendFrame(dst []byte, m *message, stored bool) []byte {
	if len(m.text) > storedLimit && !stored {
		if stream := d.deflate(m.text); len(stream) < len(m.text)+storedOverhead {
			return appendBroadcast(dst, m, stream)
		}
	}
	dst = appendBroadcastHead(dst, m, len(m.text)+storedOverhead)
	return appendStored(dst, m.text)
}

// deflate compresses text. The stream is good until the next call.
func (d *scratch) deflate(text []byte) []byte {
	d.sink.Reset()
	if d.w == nil {
		d.w, _ = zlib.NewWriterLevel(&d.sink, zlib.BestSpeed) // fails for unknown levels only
	} else {
		d.w.Reset(&d.sink)
	}
	d.w.Write(text) // a bytes.Buffer takes everything
	d.w.Close()
	return d.sink.Bytes()
}
