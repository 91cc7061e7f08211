package grpctypes

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// Method is one method with the types of its messages. It does not change and may be used from several goroutines.
type Method struct {
	desc  protoreflect.MethodDescriptor
	types *Types
}

// ClientStreams says that a call takes any number of messages, ServerStreams that it answers any number.
func (m *Method) ClientStreams() bool { return m.desc.IsStreamingClient() }

// ServerStreams says that a call answers any number of messages.
func (m *Method) ServerStreams() bool { return m.desc.IsStreamingServer() }

// Input is the full name of the messages that a call takes.
func (m *Method) Input() string { return string(m.desc.Input().FullName()) }

// PrefixBytes is the size of what stands in front of each message: a flag for compression and the length.
const PrefixBytes = 5

// AppendPrefix appends the prefix of a message of that many bytes, which is not compressed.
func AppendPrefix(dst []byte, size int) []byte {
	return binary.BigEndian.AppendUint32(append(dst, 0), uint32(size))
}

// EncodeOne turns the JSON of one message into a message with its prefix. Empty text is one without content.
func (m *Method) EncodeOne(text []byte) ([]byte, error) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return AppendPrefix(nil, 0), nil
	}
	return m.appendMessage(nil, text)
}

// Encode turns the JSON of one message, or of a method that takes a stream a list of them, into messages with their
// prefixes, one after the other. Empty text is one message without content.
func (m *Method) Encode(text []byte) ([]byte, error) {
	text = bytes.TrimSpace(text)
	if !m.ClientStreams() || len(text) == 0 || text[0] != '[' {
		return m.EncodeOne(text)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, at(text, err)
	}
	out := []byte{}
	for i, one := range list {
		var err error
		if out, err = m.appendMessage(out, one); err != nil {
			return nil, fmt.Errorf("message %d of %d: %w", i+1, len(list), err)
		}
	}
	return out, nil
}

func (m *Method) appendMessage(dst, text []byte) ([]byte, error) {
	if text[0] == '[' && !isList(m.desc.Input()) {
		return nil, fmt.Errorf("%s takes one message, and this is a list", m.desc.FullName())
	}
	message := dynamicpb.NewMessage(m.desc.Input())
	if err := (protojson.UnmarshalOptions{Resolver: m.types.resolver}).Unmarshal(text, message); err != nil {
		return nil, plain(err)
	}
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		return nil, err
	}
	return append(AppendPrefix(dst, len(raw)), raw...), nil
}

// isList: ListValue and Value are the messages whose JSON may be a list.
func isList(d protoreflect.MessageDescriptor) bool {
	return d.FullName() == "google.protobuf.ListValue" || d.FullName() == "google.protobuf.Value"
}

// at says where in the text the JSON ends to be JSON.
func at(text []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	before := text[:min(max(0, int(syntax.Offset)-1), len(text))]
	line := bytes.Count(before, []byte("\n"))
	return fmt.Errorf("line %d:%d: %w", line+1, len(before)-bytes.LastIndexByte(before, '\n'), err)
}

// plain is protojson's error without the name of its package, and without the space that it varies.
func plain(err error) error {
	text := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	return errors.New(strings.TrimSpace(strings.TrimPrefix(text, "proto:")))
}

// JSON is an answer's message as JSON, with the fields under the names that the .proto file gives them and those that
// have their default value left out.
func (m *Method) JSON(message []byte) ([]byte, error) {
	answer := dynamicpb.NewMessage(m.desc.Output())
	if err := (proto.UnmarshalOptions{Resolver: m.types.resolver}).Unmarshal(message, answer); err != nil {
		return nil, plain(err)
	}
	return protojson.MarshalOptions{UseProtoNames: true, Resolver: m.types.resolver}.Marshal(answer)
}
