package rpc

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/vmihailenco/msgpack/v5"
)

// MsgpackAppender is a message that encodes itself. The bytes must be those that the
// library would give.
type MsgpackAppender interface {
	// AppendMsgpack appends the message to dst. It must not keep dst.
	AppendMsgpack(dst []byte) []byte
}

// MsgpackDecoder is a message that decodes itself in the form that encoders write.
type MsgpackDecoder interface {
	// DecodeMsgpack sets every field of the message, so that a reused one keeps
	// nothing of its former life, and does not keep b. It returns false for a form
	// that it does not know, right or wrong: the library then judges.
	DecodeMsgpack(b []byte) bool
}

// codec turns messages into payloads and back.
type codec interface {
	// append appends v to dst; v is a pointer to a message.
	append(dst []byte, v any) ([]byte, error)
	// decode fills v, all of it. It keeps nothing of b.
	decode(b []byte, v any) error
}

var (
	_ codec = libraryCodec{}
	_ codec = fastCodec{}
)

// libraryCodec is github.com/vmihailenco/msgpack for every message, by reflection.
type libraryCodec struct{}

func (libraryCodec) append(dst []byte, v any) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	enc := msgpack.GetEncoder()
	defer msgpack.PutEncoder(enc)
	enc.Reset(b)
	if err := enc.Encode(v); err != nil {
		return dst, err
	}
	return b.Bytes(), nil
}

func (libraryCodec) decode(b []byte, v any) (err error) {
	into := reflect.ValueOf(v)
	if into.Kind() != reflect.Pointer || into.IsNil() {
		return fmt.Errorf("%T is no pointer to a message, or nil", v)
	}
	if err := checkMsgpack(b); err != nil {
		return err
	}
	into.Elem().SetZero() // the library leaves alone what the bytes do not name
	defer func() {
		// It panics on some bytes, such as a key that comes twice for a field of type any.
		if v := recover(); v != nil {
			err = fmt.Errorf("msgpack decoder panicked: %v", v)
		}
	}()
	return msgpack.Unmarshal(b, v)
}

// fastCodec lets messages that can encode and decode themselves do so.
type fastCodec struct{ libraryCodec }

func (c fastCodec) append(dst []byte, v any) ([]byte, error) {
	if m, ok := v.(MsgpackAppender); ok {
		return m.AppendMsgpack(dst), nil
	}
	return c.libraryCodec.append(dst, v)
}

func (c fastCodec) decode(b []byte, v any) error {
	if m, ok := v.(MsgpackDecoder); ok && m.DecodeMsgpack(b) {
		return nil
	}
	return c.libraryCodec.decode(b, v)
}
