package ledger

import (
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"time"
)

// encodeIndex packs records, field by field: numbers as varints, and each text once, with its number wherever it
// stands.
func encodeIndex(all []*Record) []byte {
	c := &indexCode{number: map[string]uint64{}}
	c.value(reflect.ValueOf(&all).Elem())
	data := binary.AppendUvarint(nil, uint64(len(c.texts)))
	for _, text := range c.texts {
		data = append(binary.AppendUvarint(data, uint64(len(text))), text...)
	}
	return append(data, c.data...)
}

// decodeIndex is the inverse of encodeIndex. What it makes is at most some hundred times as large as the data.
func decodeIndex(data []byte) (all []*Record, err error) {
	c := &indexCode{data: data, reading: true}
	for range c.count(1) {
		n := c.count(1)
		c.texts = append(c.texts, string(c.data[:n]))
		c.data = c.data[n:]
	}
	c.value(reflect.ValueOf(&all).Elem())
	for _, r := range all {
		c.failed = c.failed || r == nil || (r.Run == nil) == (r.Comparison == nil)
	}
	if c.failed || len(c.data) > 0 {
		return nil, errors.New("the index is not whole")
	}
	return all, nil
}

// indexCode goes through the fields of a value, in one way to write and to read it.
type indexCode struct {
	data    []byte // what was written, or is still to be read
	texts   []string
	number  map[string]uint64 // of a text; only to write
	reading bool
	failed  bool
}

var timeType = reflect.TypeFor[time.Time]()

func (c *indexCode) value(v reflect.Value) {
	if c.failed {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == timeType {
			c.time(v.Addr().Interface().(*time.Time))
			return
		}
		for i := range v.NumField() {
			c.value(v.Field(i))
		}
	case reflect.Pointer:
		if there := c.uint(b2u(!v.IsNil())); there != 0 {
			if c.reading {
				v.Set(reflect.New(v.Type().Elem()))
			}
			c.value(v.Elem())
		}
	case reflect.Slice:
		c.list(v)
	case reflect.String:
		if text := c.text(v.String()); c.reading {
			v.SetString(text)
		}
	case reflect.Bool:
		if n := c.uint(b2u(v.Bool())); c.reading {
			v.SetBool(n != 0)
		}
	case reflect.Int, reflect.Int64:
		if n := c.uint(uint64(v.Int())); c.reading {
			v.SetInt(int64(n))
		}
	case reflect.Uint8:
		if n := c.uint(v.Uint()); c.reading {
			v.SetUint(n)
		}
	case reflect.Float64:
		if n := c.uint(math.Float64bits(v.Float())); c.reading {
			v.SetFloat(math.Float64frombits(n))
		}
	default:
		panic("the index has no way to write a " + v.Type().String())
	}
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (c *indexCode) list(v reflect.Value) {
	n := v.Len()
	if c.reading {
		n = c.count(least(v.Type().Elem()))
	} else {
		c.uint(uint64(n))
	}
	if c.reading && n > 0 {
		v.Set(reflect.MakeSlice(v.Type(), n, n))
	}
	for i := range n {
		c.value(v.Index(i))
	}
}

// least is how many bytes a value of a type takes at least.
func least(t reflect.Type) int {
	if t.Kind() == reflect.Struct {
		return t.NumField()
	}
	return 1
}

// count reads how many things follow, each of at least so many bytes.
func (c *indexCode) count(least int) int {
	n := c.uint(0)
	if n > uint64(len(c.data)/least) {
		c.failed = true
		return 0
	}
	return int(n)
}

// uint writes n, or returns what it reads.
func (c *indexCode) uint(n uint64) uint64 {
	if !c.reading {
		c.data = binary.AppendUvarint(c.data, n)
		return n
	}
	n, size := binary.Uvarint(c.data)
	if size <= 0 {
		c.failed = true
		return 0
	}
	c.data = c.data[size:]
	return n
}

// text writes s, or returns what it reads.
func (c *indexCode) text(s string) string {
	if !c.reading {
		n, known := c.number[s]
		if !known {
			n = uint64(len(c.texts))
			c.number[s], c.texts = n, append(c.texts, s)
		}
		c.uint(n)
		return s
	}
	n := c.uint(0)
	if n >= uint64(len(c.texts)) {
		c.failed = true
		return ""
	}
	return c.texts[n]
}

// time is in nanoseconds since 1970, after whether there is one.
func (c *indexCode) time(t *time.Time) {
	if there := c.uint(b2u(!t.IsZero())); there == 0 {
		return
	}
	if n := c.uint(uint64(t.UnixNano())); c.reading {
		*t = time.Unix(0, int64(n)).UTC()
	}
}
