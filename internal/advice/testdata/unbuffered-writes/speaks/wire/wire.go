// Package wire is how quotes travel.
package wire

import (
	"encoding/binary"
	"io"
)

// Quote is a price pair in cents.
type Quote struct {
	Name     string
	Bid, Ask int64
}

func (q Quote) size() int { return 1 + len(q.Name) + 16 }

// Send writes quotes as one frame.
func Send(w io.Writer, quotes []Quote) error {
	total := 0
	for _, q := range quotes {
		total += q.size()
	}
	if err := number(w, 4, uint64(total)); err != nil {
		return err
	}
	for _, q := range quotes {
		if err := send(w, q); err != nil {
			return err
		}
	}
	return nil
}

func send(w io.Writer, q Quote) error {
	if err := number(w, 1, uint64(len(q.Name))); err != nil {
		return err
	}
	if _, err := io.WriteString(w, q.Name); err != nil { // want: unbuffered-writes
		return err
	}
	if err := number(w, 8, uint64(q.Bid)); err != nil {
		return err
	}
	return number(w, 8, uint64(q.Ask))
}

// number writes the lowest bytes of v, the highest of them first.
func number(w io.Writer, bytes int, v uint64) error {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], v)
	_, err := w.Write(b[8-bytes:]) // want: unbuffered-writes
	return err
}
