package rpc

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
)

// libraryEnvelope is the envelope by google.golang.org/protobuf. The messages are
// described by struct tags, as generated code had them before it carried descriptors;
// the library derives the rest. So nothing has to be generated or registered, and the
// speed is that of generated code.
type libraryEnvelope struct{}

// Request and Response as messages of the library.
type (
	wireRequest  Request
	wireResponse Response
)

func (m *wireRequest) Reset()         { *m = wireRequest{} }
func (m *wireRequest) String() string { return m.ServicePath }
func (*wireRequest) ProtoMessage()    {}

func (m *wireResponse) Reset()         { *m = wireResponse{} }
func (m *wireResponse) String() string { return m.Message }
func (*wireResponse) ProtoMessage()    {}

// appendRequest appends r to dst. It fails if a text is not UTF-8.
func (libraryEnvelope) appendRequest(dst []byte, r *Request) ([]byte, error) {
	return marshal(dst, (*wireRequest)(r))
}

// appendResponse appends r to dst. It fails if a text is not UTF-8.
func (libraryEnvelope) appendResponse(dst []byte, r *Response) ([]byte, error) {
	return marshal(dst, (*wireResponse)(r))
}

// decodeRequest replaces all of r, whose memory is its own afterwards.
func (libraryEnvelope) decodeRequest(body []byte, r *Request) error {
	return unmarshal(body, (*wireRequest)(r), "request")
}

// decodeResponse replaces all of r, whose memory is its own afterwards.
func (libraryEnvelope) decodeResponse(body []byte, r *Response) error {
	return unmarshal(body, (*wireResponse)(r), "response")
}

// marshal appends m with its maps sorted, so that equal messages are equal bytes.
func marshal(dst []byte, m protoadapt.MessageV1) ([]byte, error) {
	dst, err := proto.MarshalOptions{Deterministic: true}.MarshalAppend(dst, protoadapt.MessageV2Of(m))
	if err != nil {
		return dst, fmt.Errorf("encode envelope: %w", err)
	}
	return dst, nil
}

func unmarshal(body []byte, m protoadapt.MessageV1, what string) error {
	if err := proto.Unmarshal(body, protoadapt.MessageV2Of(m)); err != nil {
		return fmt.Errorf("decode %s: %w", what, err)
	}
	return nil
}
