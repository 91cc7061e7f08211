package prof

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/google/pprof/profile"
)

// errOTLP says that a message is OTLP's, of which one view cannot show all.
var errOTLP = errors.New("profiles of OTLP, of which one file may have several: hone pull FILE keeps them as a run")

// isOTLP says whether a message begins as OTLP's ProfilesData do. In both formats its first field has the number 1 or
// 2. Field 1 of OTLP is a message whose fields are messages (ResourceProfiles), where pprof's are numbers (ValueType).
// Some encoders write the highest number first: field 2 then begins with one of the dictionary's tables 4 to 7, which a
// sample of pprof does not have.
func isOTLP(head []byte) bool {
	if len(head) == 0 {
		return false
	}
	length, n := binary.Uvarint(head[1:])
	if n <= 0 || length == 0 || len(head) <= 1+n || head[1+n]&7 != 2 {
		return false
	}
	return head[0] == 1<<3|2 || head[0] == 2<<3|2 && head[1+n]>>3 >= 4
}

// ReadCaptures reads what a file of profiles has: one in pprof's format, as ReadCapture does, or all of one of OTLP
// (ProfilesData or ExportProfilesServiceRequest as protobuf, also gzipped; opentelemetry-proto,
// profiles/v1development). CPU profiles of other tools become Go's (AsCPU). left are parts of OTLP that are none of a
// Go program's profiles.
func ReadCaptures(r io.Reader, l Limits) (captures []Capture, left []Part, err error) {
	in := bufio.NewReader(r)
	if !holdsOTLP(in) {
		c, err := ReadCapture(in, l)
		if as, ok := AsCPU(c); err == nil && ok {
			c = as
		}
		return []Capture{c}, nil, err
	}
	message, err := readOTLP(in, l.withDefaults())
	if err != nil {
		return nil, nil, fmt.Errorf("read OTLP profiles: %w", err)
	}
	parts, d, err := decodeOTLP(message, l.withDefaults().forFile(int64(len(message))))
	if err != nil {
		return nil, nil, fmt.Errorf("read OTLP profiles: %w", err)
	}
	return Assemble(parts, d)
}

// holdsOTLP looks at the first bytes of a file, and into it if it is gzipped.
func holdsOTLP(in *bufio.Reader) bool {
	head, _ := in.Peek(in.Size())
	if m, err := membersOf(head); err == nil {
		head = make([]byte, headBytes)
		n, _ := io.ReadFull(m, head) // of a part of a file
		head = head[:n]
	}
	return isOTLP(head)
}

// readOTLP is the message, unpacked.
func readOTLP(in *bufio.Reader, l Limits) ([]byte, error) {
	packed, err := readBounded(in, l.Uncompressed, "of OTLP")
	if err != nil {
		return nil, err
	}
	m, err := membersOf(packed)
	if err != nil { // it is not gzipped
		return packed, nil
	}
	return readBounded(m, min(l.Uncompressed, int64(len(packed))*maxRatio), "uncompressed")
}

// otlp is what a message has in its dictionary; indices are those of the tables there, of which 0 stands for no entry.
type otlp struct {
	strings    []string
	functions  []*profile.Function
	mappings   []*profile.Mapping
	locations  []*profile.Location
	stacks     [][]*profile.Location
	attributes []otlpAttribute
	// room is how many more things may be decoded.
	room int64
}

type otlpAttribute struct{ key, value string }

// otlpThing is what one thing in a message takes at most when it is decoded, in bytes: a label with its map.
const otlpThing = 400

// decodeOTLP makes one part of all profiles that have one sample type and one period; attributes of resources and
// samples are labels. d is the longest stretch of time that a profile covers.
func decodeOTLP(message []byte, l Limits) (parts []Part, d time.Duration, err error) {
	o := &otlp{room: l.Memory / otlpThing}
	var resources, dictionary [][]byte
	if err := walk(message, func(f field) error {
		switch {
		case f.number == 1 && f.packed:
			resources = append(resources, f.bytes)
		case f.number == 2 && f.packed:
			dictionary = append(dictionary, f.bytes)
		}
		return o.take(1)
	}); err != nil {
		return nil, 0, err
	}
	if len(dictionary) != 1 {
		return nil, 0,
			fmt.Errorf("%d dictionaries, want 1: it is not of the version of OTLP that has one (1.8 and later)",
				len(dictionary))
	}
	if err := o.readDictionary(dictionary[0]); err != nil {
		return nil, 0, fmt.Errorf("dictionary: %w", err)
	}
	all := otlpParts{otlp: o, of: map[otlpType]*profile.Profile{}}
	for _, r := range resources {
		if err := all.readResource(r); err != nil {
			return nil, 0, err
		}
	}
	for _, p := range all.order {
		if err := errors.Join(p.CheckValid(), checkFrames(p, l)); err != nil {
			return nil, 0, err
		}
		d = max(d, time.Duration(p.DurationNanos))
		parts = append(parts, Part{Profile: p})
	}
	if len(parts) == 0 {
		return nil, 0, errors.New("there is no profile in it")
	}
	return parts, d, nil
}

// take counts things that are decoded.
func (o *otlp) take(n int) error {
	if o.room -= int64(n); o.room < 0 {
		return fmt.Errorf("%w: more things than its size lets expect", ErrLimit)
	}
	return nil
}

// at is an element of a table of the dictionary.
func at[T any](table []T, i uint64) (one T, err error) {
	if i >= uint64(len(table)) {
		return one, fmt.Errorf("index %d of a table of %d", i, len(table))
	}
	return table[i], nil
}

// numbersOf calls visit for each number of a repeated field, packed or not.
func numbersOf(f field, visit func(uint64) error) error {
	if !f.packed {
		return visit(f.value)
	}
	rest := f.bytes
	for len(rest) > 0 {
		v, n := binary.Uvarint(rest)
		if n <= 0 {
			return errWire
		}
		if err := visit(v); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// anyValue is the text of an AnyValue; "" of lists and bytes.
func (o *otlp) anyValue(message []byte) (text string, err error) {
	err = walk(message, func(f field) error {
		var err error
		switch {
		case f.number == 1 && f.packed:
			text = string(bytes.ToValidUTF8(f.bytes, nil))
		case f.number == 2:
			text = strconv.FormatBool(f.value != 0)
		case f.number == 3:
			text = strconv.FormatInt(int64(f.value), 10)
		case f.number == 8:
			text, err = at(o.strings, f.value)
		}
		return err
	})
	return text, err
}
