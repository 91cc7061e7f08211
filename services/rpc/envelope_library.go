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

// wireRequest is Request for the library.
type wireRequest struct {
	ServicePath string            `protobuf:"bytes,2,opt,name=service_path,json=servicePath,proto3"`
	Metadata    map[string][]byte `protobuf:"bytes,3,rep,name=metadata,proto3" protobuf_key:"bytes,1,opt,name=key,proto3" protobuf_val:"bytes,2,opt,name=value,proto3"`
	Payload     []byte            `protobuf:"bytes,4,opt,name=payload,proto3"`
}

func (m *wireRequest) Reset()         { *m = wireRequest{} }
func (m *wireRequest) String() string { return m.ServicePath }
func (*wireRequest) ProtoMessage()    {}

// wireResponse is Response for the library.
type wireResponse struct {
	RetCode  uint32            `protobuf:"varint,1,opt,name=ret_code,json=retCode,proto3"`
	RetMsg   string            `protobuf:"bytes,2,opt,name=ret_msg,json=retMsg,proto3"`
	Metadata map[string][]byte `protobuf:"bytes,3,rep,name=metadata,proto3" protobuf_key:"bytes,1,opt,name=key,proto3" protobuf_val:"bytes,2,opt,name=value,proto3"`
	Payload  []byte            `protobuf:"bytes,4,opt,name=payload,proto3"`
}

func (m *wireResponse) Reset()         { *m = wireResponse{} }
func (m *wireResponse) String() string { return m.RetMsg }
func (*wireResponse) ProtoMessage()    {}

var (
	_ protoadapt.MessageV1 = (*wireRequest)(nil)
	_ protoadapt.MessageV1 = (*wireResponse)(nil)
)

// appendRequest appends r to dst. It fails if a text is not UTF-8.
func (libraryEnvelope) appendRequest(dst []byte, r *Request) ([]byte, error) {
	return marshal(dst, &wireRequest{r.ServicePath, r.Metadata, r.Payload})
}

// appendResponse appends r to dst. It fails if a text is not UTF-8.
func (libraryEnvelope) appendResponse(dst []byte, r *Response) ([]byte, error) {
	return marshal(dst, &wireResponse{uint32(r.Code), r.Message, r.Metadata, r.Payload})
}

// decodeRequest replaces all of r, whose memory is its own afterwards.
func (libraryEnvelope) decodeRequest(body []byte, r *Request) error {
	var m wireRequest
	if err := proto.Unmarshal(body, protoadapt.MessageV2Of(&m)); err != nil {
		return fmt.Errorf("decode request: %w", err)
	}
	*r = Request{m.ServicePath, m.Metadata, m.Payload}
	return nil
}

// decodeResponse replaces all of r, whose memory is its own afterwards.
func (libraryEnvelope) decodeResponse(body []byte, r *Response) error {
	var m wireResponse
	if err := proto.Unmarshal(body, protoadapt.MessageV2Of(&m)); err != nil {
		return fmt.Errorf("decode response: %w", err)
	}
	*r = Response{Code(m.RetCode), m.RetMsg, m.Metadata, m.Payload}
	return nil
}

// marshal appends m with its maps sorted, so that equal messages are equal bytes.
func marshal(dst []byte, m protoadapt.MessageV1) ([]byte, error) {
	dst, err := proto.MarshalOptions{Deterministic: true}.MarshalAppend(dst, protoadapt.MessageV2Of(m))
	if err != nil {
		return dst, fmt.Errorf("encode envelope: %w", err)
	}
	return dst, nil
}
