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
	if err := head(w, uint32(total)); err != nil {
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
	b := make([]byte, 0, 64)
	b = append(b, byte(len(q.Name)))
	b = append(b, q.Name...)
	b = binary.BigEndian.AppendUint64(b, uint64(q.Bid))
	b = binary.BigEndian.AppendUint64(b, uint64(q.Ask))
	_, err := w.Write(b)
	return err
}

// head says how long the rest is.
func head(w io.Writer, n uint32) error {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], n)
	_, err := w.Write(b[:])
	return err
}
