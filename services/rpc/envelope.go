package rpc

import (
	"maps"
	"slices"
	"unicode/utf8"
)

// Metadata travels beside a call or an answer. Keys are UTF-8, values any bytes.
type Metadata map[string][]byte

// Request is the body of a request: in proto3,
//
//	message Request { string service_path = 2; map<string, bytes> metadata = 3; bytes payload = 4; }
type Request struct {
	ServicePath string   `protobuf:"bytes,2,opt,name=service_path,json=servicePath,proto3"`
	Metadata    Metadata `protobuf:"bytes,3,rep,name=metadata,proto3" protobuf_key:"bytes,1,opt,name=key,proto3" protobuf_val:"bytes,2,opt,name=value,proto3"`
	Payload     []byte   `protobuf:"bytes,4,opt,name=payload,proto3"`
}

// Response is the body of an answer: in proto3,
//
//	message Response { uint32 ret_code = 1; string ret_msg = 2; map<string, bytes> metadata = 3; bytes payload = 4; }
type Response struct {
	Code     Code     `protobuf:"varint,1,opt,name=ret_code,json=retCode,proto3"`
	Message  string   `protobuf:"bytes,2,opt,name=ret_msg,json=retMsg,proto3"`
	Metadata Metadata `protobuf:"bytes,3,rep,name=metadata,proto3" protobuf_key:"bytes,1,opt,name=key,proto3" protobuf_val:"bytes,2,opt,name=value,proto3"`
	Payload  []byte   `protobuf:"bytes,4,opt,name=payload,proto3"`
}

// Field numbers of both messages, and of an entry of a map.
const (
	fieldCode     = 1
	fieldText     = 2 // service_path, ret_msg
	fieldMetadata = 3
	fieldPayload  = 4

	fieldKey   = 1
	fieldValue = 2
)

// AppendRequest appends r to dst: fields in the order of their numbers, empty ones left
// out, metadata sorted by key. These are the bytes that protobuf's own deterministic
// encoding gives. Strings must be UTF-8.
func AppendRequest(dst []byte, r *Request) []byte {
	dst = appendBytes(dst, fieldText, r.ServicePath)
	dst = appendMetadata(dst, r.Metadata)
	return appendBytes(dst, fieldPayload, r.Payload)
}

// AppendResponse appends r to dst, as AppendRequest does.
func AppendResponse(dst []byte, r *Response) []byte {
	if r.Code != 0 {
		dst = append(dst, fieldCode<<3|wireVarint)
		dst = appendVarint(dst, uint64(r.Code))
	}
	dst = appendBytes(dst, fieldText, r.Message)
	dst = appendMetadata(dst, r.Metadata)
	return appendBytes(dst, fieldPayload, r.Payload)
}

func appendMetadata(dst []byte, m Metadata) []byte {
	if len(m) == 0 {
		return dst
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		dst = appendEntry(dst, key, m[key])
	}
	return dst
}

// appendEntry appends one entry of metadata. Key and value are there even if empty.
func appendEntry[T string | []byte](dst []byte, key string, value T) []byte {
	size := 1 + varintSize(len(key)) + len(key) + 1 + varintSize(len(value)) + len(value)
	dst = appendVarint(append(dst, fieldMetadata<<3|wireBytes), uint64(size))
	return appendField(appendField(dst, fieldKey, key), fieldValue, value)
}

// envelope is a Request or a Response where it lies: all slices alias the body that it
// was decoded from, and are valid as long as that is.
type envelope struct {
	code    uint32
	text    []byte // service_path or ret_msg
	payload []byte
	// entries are the metadata as sent. Of entries with one key the last one counts.
	entries []entry
}

type entry struct{ key, value []byte }

// decode fills e from body and keeps the memory of its entries. It knows what encoders
// write, in any order, and skips unknown fields. It returns false for all that is
// beyond that (groups, wrong wire types, overlong or cut off fields, texts that are not
// UTF-8, very many entries), right or wrong: then protobuf's own decoder has to judge.
func (e *envelope) decode(body []byte) bool {
	*e = envelope{entries: e.entries[:0]}
	if cap(e.entries) > maxEntries {
		e.entries = nil
	}
	for len(body) > 0 {
		tag, n := readVarint(body)
		if n == 0 {
			return false
		}
		body = body[n:]
		switch tag {
		case fieldText<<3 | wireBytes:
			if e.text, body, n = readBytes(body); n == 0 || !utf8.Valid(e.text) {
				return false
			}
		case fieldPayload<<3 | wireBytes:
			if e.payload, body, n = readBytes(body); n == 0 {
				return false
			}
		case fieldMetadata<<3 | wireBytes:
			var raw []byte
			if raw, body, n = readBytes(body); n == 0 || !e.addEntry(raw) {
				return false
			}
		case fieldCode<<3 | wireVarint:
			// In a Request this is an unknown field, and skipped just so.
			var code uint64
			if code, n = readVarint(body); n == 0 {
				return false
			}
			e.code, body = uint32(code), body[n:]
		default:
			if tag>>3 <= fieldPayload {
				return false // field 0, or a known one of a wrong type
			}
			if body, n = skipField(body, tag); n == 0 {
				return false
			}
		}
	}
	return true
}

// maxEntries is how many entries are decoded by hand, and how many are kept room for: an
// entry takes 2 bytes of a body, but 48 in memory.
const maxEntries = 64

// addEntry decodes one entry of a map; a missing key or value is empty.
func (e *envelope) addEntry(raw []byte) bool {
	if len(e.entries) == maxEntries {
		return false
	}
	var got entry
	for len(raw) > 0 {
		tag, n := readVarint(raw)
		if n == 0 {
			return false
		}
		switch raw = raw[n:]; tag {
		case fieldKey<<3 | wireBytes:
			if got.key, raw, n = readBytes(raw); n == 0 || !utf8.Valid(got.key) {
				return false
			}
		case fieldValue<<3 | wireBytes:
			if got.value, raw, n = readBytes(raw); n == 0 {
				return false
			}
		default:
			return false // no encoder writes it
		}
	}
	e.entries = append(e.entries, got)
	return true
}

// take makes e what from is, with another payload. It keeps the memory of its entries.
func (e *envelope) take(from *envelope, payload []byte) {
	*e = envelope{code: from.code, text: from.text, payload: payload, entries: append(e.entries[:0], from.entries...)}
}

// lookup finds the value of key.
func (e *envelope) lookup(key string) (value []byte, ok bool) {
	for i := len(e.entries) - 1; i >= 0; i-- {
		if string(e.entries[i].key) == key {
			return e.entries[i].value, true
		}
	}
	return nil, false
}

// metadata copies the entries into a map; nil if there are none.
func (e *envelope) metadata() Metadata {
	if len(e.entries) == 0 {
		return nil
	}
	m := make(Metadata, len(e.entries))
	for _, x := range e.entries {
		m[string(x.key)] = append([]byte{}, x.value...)
	}
	return m
}

// set fills e from what the library has decoded. The entries alias m's values.
func (e *envelope) set(code Code, text string, m Metadata, payload []byte) {
	*e = envelope{code: uint32(code), text: []byte(text), payload: payload, entries: e.entries[:0]}
	for key, value := range m {
		e.entries = append(e.entries, entry{[]byte(key), value})
	}
}

// decodeRequest is decode, and where that gives up, protobuf's decoder.
func (e *envelope) decodeRequest(body []byte) error {
	if e.decode(body) {
		return nil
	}
	var r Request
	err := libraryEnvelope{}.decodeRequest(body, &r)
	e.set(CodeOK, r.ServicePath, r.Metadata, r.Payload)
	return err
}

// decodeResponse is decode, and where that gives up, protobuf's decoder.
func (e *envelope) decodeResponse(body []byte) error {
	if e.decode(body) {
		return nil
	}
	return e.decodeResponseByLibrary(body)
}

func (e *envelope) decodeResponseByLibrary(body []byte) error {
	var r Response
	err := libraryEnvelope{}.decodeResponse(body, &r)
	e.set(r.Code, r.Message, r.Metadata, r.Payload)
	return err
}

// DecodeRequest decodes the body of a request. The payload aliases body.
func DecodeRequest(body []byte) (Request, error) {
	var e envelope
	if err := e.decodeRequest(body); err != nil {
		return Request{}, err
	}
	return Request{ServicePath: string(e.text), Metadata: e.metadata(), Payload: e.payload}, nil
}

// DecodeResponse decodes the body of an answer. The payload aliases body.
func DecodeResponse(body []byte) (Response, error) {
	var e envelope
	if err := e.decodeResponse(body); err != nil {
		return Response{}, err
	}
	return Response{Code: Code(e.code), Message: string(e.text), Metadata: e.metadata(), Payload: e.payload}, nil
}
