package grpctypes

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/gohone/hone/internal/text/inputs"
)

// parts are the messages in the messages of descriptors, by the numbers of their fields
// (google/protobuf/descriptor.proto). Two bytes of one become some hundred in memory: so they are counted before they
// are read.
var parts = map[string]map[protowire.Number]string{
	"file":    {4: "message", 5: "enum", 6: "service", 7: "field", 8: "options"},
	"message": {2: "field", 3: "message", 4: "enum", 5: "range", 6: "field", 7: "options", 8: "oneof", 9: "range"},
	"field":   {8: "options"},
	"oneof":   {2: "options"},
	"range":   {3: "options"},
	"enum":    {2: "value", 3: "options", 4: "range"},
	"value":   {3: "options"},
	"service": {2: "method", 3: "options"},
	"method":  {4: "options"},
	"options": {999: "option"},
	"option":  {2: "name"},
}

const (
	fileInSet      = 1  // of a FileDescriptorSet
	fileName       = 1  // of a FileDescriptorProto
	sourceCodeInfo = 9  // of a FileDescriptorProto: comments and places in a file
	maxNested      = 64 // messages in messages
)

// reading is descriptors that are being read, up to the bounds of all together.
type reading struct {
	files           []*descriptorpb.FileDescriptorProto
	bytes, declared int64
}

var errCut = errors.New("it ends in the middle of a field")

// set takes the files of a binary FileDescriptorSet.
func (r *reading) set(raw []byte) error {
	return fields(raw, func(number protowire.Number, _, value []byte) error {
		if number != fileInSet || value == nil {
			return nil
		}
		return r.file(value)
	})
}

// file takes one binary FileDescriptorProto, without its comments.
func (r *reading) file(raw []byte) error {
	if r.bytes += int64(len(raw)); r.bytes > inputs.Descriptors.Most {
		return inputs.Descriptors.Beyond("")
	}
	kept := make([]byte, 0, len(raw))
	err := fields(raw, func(number protowire.Number, whole, _ []byte) error {
		if number != sourceCodeInfo {
			kept = append(kept, whole...)
		}
		return nil
	})
	if err == nil {
		err = r.count("file", kept, 0)
	}
	if err != nil {
		return err
	}
	file := &descriptorpb.FileDescriptorProto{}
	if err := proto.Unmarshal(kept, file); err != nil {
		return plain(err)
	}
	r.files = append(r.files, file)
	return nil
}

// nameOf is the name of a binary FileDescriptorProto.
func nameOf(raw []byte) (name string, err error) {
	err = fields(raw, func(number protowire.Number, _, value []byte) error {
		if number == fileName && value != nil {
			name = string(value)
		}
		return nil
	})
	return name, err
}

// count adds what a message declares.
func (r *reading) count(kind string, raw []byte, depth int) error {
	if depth > maxNested {
		return errors.New("its messages are nested too deeply")
	}
	inside := parts[kind]
	return fields(raw, func(number protowire.Number, _, value []byte) error {
		part := inside[number]
		if part == "" || value == nil {
			return nil
		}
		if r.declared++; r.declared > inputs.Declarations.Most {
			return inputs.Declarations.Beyond("")
		}
		return r.count(part, value, depth+1)
	})
}

// fields calls each for the fields of a message. value is nil for those that have no bytes of their own.
func fields(raw []byte, each func(number protowire.Number, whole, value []byte) error) error {
	for len(raw) > 0 {
		number, kind, n := protowire.ConsumeTag(raw)
		if n < 0 {
			return errCut
		}
		length := protowire.ConsumeFieldValue(number, kind, raw[n:])
		if length < 0 {
			return errCut
		}
		var value []byte
		if kind == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(raw[n:])
		}
		if err := each(number, raw[:n+length], value); err != nil {
			return err
		}
		raw = raw[n+length:]
	}
	return nil
}
