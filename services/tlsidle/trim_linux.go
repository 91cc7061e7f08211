package tlsidle

import (
	"bytes"
	"crypto/tls"
	"reflect"
	"unsafe"
)

// trimmer takes from a tls.Conn what it keeps of its handshake and will not need again.
// Over half of an idle connection's heap is that: two buffers that have grown to the
// size of the client's first message (1.5 to 2 kB each today, since that message brings
// a post-quantum key share), and what it takes to export keying material. The first
// buffer also grows to the longest record that a client sends, up to 16 kB, and stays so.
//
// crypto/tls has no call for this, so that it goes by the names of private fields. A
// field that is not there, or of another type than it was, is left alone: with another
// version of Go, connections may take more memory, and that is all. TestTrimmerKnowsGo
// fails then.
type trimmer struct {
	// Offsets in tls.Conn; 0 for a field that is not known, which no buffer has.
	rawInput, hand uintptr // bytes.Buffer: records, handshake messages
	ekm            uintptr // func: exports keying material
}

func newTrimmer() trimmer {
	return trimmer{
		rawInput: fieldOf[bytes.Buffer]("rawInput"),
		hand:     fieldOf[bytes.Buffer]("hand"),
		ekm:      fieldOf[func(label string, context []byte, length int) ([]byte, error)]("ekm"),
	}
}

// fieldOf returns the offset of a field of tls.Conn, 0 if there is none of this type.
func fieldOf[T any](name string) uintptr {
	f, ok := reflect.TypeFor[tls.Conn]().FieldByName(name)
	if !ok || f.Type != reflect.TypeFor[T]() {
		return 0
	}
	return f.Offset
}

// trim trims c, whose handshake is over and whose last Read has found nothing. The
// caller alone has c, and never asks for its ConnectionState. A buffer that holds part
// of a record or message stays.
func (t trimmer) trim(c *tls.Conn) {
	for _, offset := range []uintptr{t.rawInput, t.hand} {
		if offset == 0 {
			continue
		}
		// An empty buffer and a new one behave alike.
		if b := (*bytes.Buffer)(unsafe.Add(unsafe.Pointer(c), offset)); b.Len() == 0 {
			*b = bytes.Buffer{}
		}
	}
	if t.ekm != 0 {
		*(*func(string, []byte, int) ([]byte, error))(unsafe.Add(unsafe.Pointer(c), t.ekm)) = nil
	}
}
