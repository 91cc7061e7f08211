package http2

import (
	"testing"

	"golang.org/x/net/http2/hpack"

	"github.com/gohone/hone/internal/wire"
)

// Whatever this reader of header blocks takes, another one takes as well, and finds the
// same status in it.
func FuzzBlock(f *testing.F) {
	f.Add([]byte{0x88, 0x5c, 0x01, '4'})
	f.Add([]byte{0x20, 0x48, 0x82, 0x64, 0x02, 0x0f, 0x0d, 0x02, '1', '2'})
	f.Add([]byte("\x00\x07:status\x03201\x40\x01x\x00"))
	f.Add([]byte{0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Add([]byte{0x1f, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 0x00})
	f.Add([]byte{0x1f, 0x0e, 0x84, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, block []byte) {
		var mine blockReader
		got, ok := mine.recall(block)
		again, okAgain := mine.recall(block)
		if got != again || ok != okAgain {
			t.Fatalf("%x: read as %+v %v, then as %+v %v", block, got, ok, again, okAgain)
		}
		d := hpack.NewDecoder(0, nil)
		fields, err := d.DecodeFull(block)
		if ok != (err == nil) {
			t.Fatalf("%x: taken %v, the other reader says %v", block, ok, err)
		}
		if !ok || got.Bad {
			return
		}
		status, statuses := "", 0
		for _, field := range fields {
			if field.Name == ":status" {
				status, statuses = field.Value, statuses+1
			}
		}
		if statuses > 1 || (status != "") != (got.Status != 0) {
			t.Fatalf("%x: status %d, the other reader finds %d: %q", block, got.Status, statuses, status)
		}
		if n, _ := wire.Decimal([]byte(status)); uint16(n) != got.Status {
			t.Fatalf("%x: status %d, the other reader finds %q", block, got.Status, status)
		}
	})
}
