package prof

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// errWire says that bytes are not a protobuf message, which is what a text profile,
// an HTML error page or a core dump is to us.
var errWire = errors.New("not a pprof protobuf message, and not one of Go's profiles as text")

// field is one field of a protobuf message.
type field struct {
	number uint64
	value  uint64 // of a varint, or of eight bytes
	packed bool   // bytes holds a length-delimited value
	bytes  []byte
}

// walk calls visit for each field of a protobuf message, in order. It allocates
// nothing. Format: protobuf.dev/programming-guides/encoding.
func walk(message []byte, visit func(field) error) error {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 || tag>>3 == 0 {
			return errWire
		}
		message = message[n:]
		f := field{number: tag >> 3}
		var size uint64
		switch tag & 7 {
		case 0:
			if f.value, n = binary.Uvarint(message); n <= 0 {
				return errWire
			}
			size = uint64(n)
		case 1:
			size = 8
		case 2:
			length, n := binary.Uvarint(message)
			if n <= 0 {
				return errWire
			}
			message = message[n:]
			f.packed, size = true, length
		case 5:
			size = 4
		default:
			return errWire // groups: never in a profile
		}
		if size > uint64(len(message)) {
			return errWire
		}
		switch {
		case f.packed:
			f.bytes = message[:size]
		case tag&7 == 1:
			f.value = binary.LittleEndian.Uint64(message)
		}
		message = message[size:]
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// stream is walk for a message that is read bit by bit: the bytes of a field are valid until
// visit returns. It refuses a field over maxField (ErrLimit), and passes on what r fails with.
func stream(r io.Reader, visit func(field) error) error {
	in, buffer := bufio.NewReaderSize(r, 64<<10), []byte(nil)
	for {
		if _, err := in.Peek(1); err == io.EOF {
			return nil
		}
		tag, err := readUvarint(in)
		if err != nil {
			return err
		}
		f := field{number: tag >> 3}
		var size uint64
		switch {
		case f.number == 0:
			return errWire
		case tag&7 == 0:
			f.value, err = readUvarint(in)
		case tag&7 == 1:
			size = 8
		case tag&7 == 2:
			f.packed = true
			size, err = readUvarint(in)
		case tag&7 == 5:
			size = 4
		default:
			return errWire // groups: never in a profile
		}
		if err == nil && size > maxField {
			err = tooLarge(in, size)
		}
		if err != nil {
			return err
		}
		if uint64(cap(buffer)) < size {
			buffer = make([]byte, 2*size)
		}
		if _, err := io.ReadFull(in, buffer[:size]); err != nil {
			return cutShort(err)
		}
		if f.packed {
			f.bytes = buffer[:size]
		}
		if err := visit(f); err != nil {
			return err
		}
	}
}

func readUvarint(in *bufio.Reader) (uint64, error) {
	head, err := in.Peek(binary.MaxVarintLen64) // fewer, with an error, at the end
	v, n := binary.Uvarint(head)
	if n <= 0 {
		return 0, cutShort(err)
	}
	_, err = in.Discard(n)
	return v, err
}

// tooLarge refuses a field over maxField, if it is one: in what is not a message any number
// may stand there.
func tooLarge(in io.Reader, size uint64) error {
	if size > math.MaxInt64 {
		return errWire
	}
	if _, err := io.CopyN(io.Discard, in, int64(size)); err != nil {
		return cutShort(err)
	}
	return fmt.Errorf("%w: a field of more than %d bytes", ErrLimit, maxField)
}

// cutShort is what reading failed with, or errWire if the message just ends.
func cutShort(err error) error {
	if err == nil || err == io.EOF || err == io.ErrUnexpectedEOF {
		return errWire
	}
	return err
}

// varints returns how many varints a packed field holds, or 1 for a plain one.
func (f field) varints() int64 {
	if !f.packed {
		return 1
	}
	var n int64
	for _, b := range f.bytes {
		if b < 0x80 {
			n++
		}
	}
	return n
}
