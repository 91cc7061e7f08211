package rpc

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// The codecs by hand against the libraries.

func sameMetadata(a, b Metadata) bool { return maps.EqualFunc(a, b, bytes.Equal) }

// Whatever the decoder by hand takes, protobuf's own takes too, with the same result.
// The encoder's bytes are protobuf's own.
func FuzzEnvelope(f *testing.F) {
	f.Add([]byte("\x12\x01p\x1a\x06\x0a\x01a\x12\x01b\x22\x01q"))
	f.Add([]byte("\x08\xac\x02\x12\x02no\x22\x81\x80\x00q\x28\x05\x3d0123"))
	f.Add([]byte("\x1a\x09\x0a\x01x\x0a\x01a\x12\x01b\x1a\x04\x12\x01c\x2b\x2c"))
	f.Add(protowire.AppendVarint(protowire.AppendTag(nil, fieldCode, protowire.VarintType), 1<<40))
	f.Add(protowire.AppendBytes(protowire.AppendTag(nil, protowire.MaxValidNumber, protowire.BytesType), nil))
	f.Fuzz(func(t *testing.T, body []byte) {
		var e envelope
		fast := e.decode(body)
		var request Request
		var response Response
		errRequest := libraryEnvelope{}.decodeRequest(body, &request)
		errResponse := libraryEnvelope{}.decodeResponse(body, &response)
		if fast {
			if errRequest != nil || errResponse != nil {
				t.Fatalf("taken by hand, but the library says %v, %v", errRequest, errResponse)
			}
			if string(e.text) != request.ServicePath || !bytes.Equal(e.payload, request.Payload) || !sameMetadata(e.metadata(), request.Metadata) {
				t.Errorf("by hand %q %q %q, by the library %+v", e.text, e.payload, e.metadata(), request)
			}
			if e.code != uint32(response.Code) || string(e.text) != response.Message {
				t.Errorf("by hand %d %q, by the library %+v", e.code, e.text, response)
			}
			for key, want := range response.Metadata {
				if got, ok := e.lookup(key); !ok || !bytes.Equal(got, want) {
					t.Errorf("lookup(%q) = %q, %v, want %q", key, got, ok, want)
				}
			}
		}
		if errRequest == nil {
			want, err := libraryEnvelope{}.appendRequest(nil, &request)
			got := AppendRequest(nil, &request)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%+v is %x, the library says %x, %v", request, got, want, err)
			}
			if !e.decode(got) {
				t.Errorf("own bytes %x are not taken by hand", got)
			}
		}
		if errResponse == nil {
			want, err := libraryEnvelope{}.appendResponse(nil, &response)
			got := AppendResponse(nil, &response)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%+v is %x, the library says %x, %v", response, got, want, err)
			}
			if !e.decode(got) {
				t.Errorf("own bytes %x are not taken by hand", got)
			}
		}
	})
}

// Varints and skipping against protowire, the reference.
func FuzzWire(f *testing.F) {
	f.Add([]byte{0x96, 0x01}, uint64(5<<3|wireVarint))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, uint64(5<<3))
	f.Add([]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02}, uint64(5<<3|wireBytes))
	f.Add([]byte("\x03abcd"), uint64(5<<3|wireBytes))
	f.Add([]byte("12345678"), uint64(5<<3|wireFixed64))
	f.Add([]byte("123"), uint64(1<<32|wireFixed32))
	f.Fuzz(func(t *testing.T, b []byte, tag uint64) {
		v, n := readVarint(b)
		want, size := protowire.ConsumeVarint(b)
		if n != max(size, 0) || n > 0 && v != want {
			t.Errorf("readVarint(%x) = %d, %d, protowire says %d, %d", b, v, n, want, size)
		}
		if n > 0 && int(v) >= 0 {
			if got := varintSize(int(v)); got != protowire.SizeVarint(v) {
				t.Errorf("varintSize(%d) = %d, want %d", v, got, protowire.SizeVarint(v))
			}
		}
		if wire := tag & 7; wire == 3 || wire == 4 {
			return // groups are the library's
		}
		rest, n := skipField(b, tag)
		number, kind := protowire.DecodeTag(tag)
		size = -1
		if number.IsValid() {
			size = protowire.ConsumeFieldValue(number, kind, b)
		}
		if (n > 0) != (size >= 0) || n > 0 && !bytes.Equal(rest, b[size:]) {
			t.Errorf("skipField(%x, %d) leaves %x, %d, protowire takes %d", b, tag, rest, n, size)
		}
	})
}

// message is one of each kind that the library can decode.
type message struct {
	Text  string
	Bytes []byte
	Any   any
	Map   map[string]int
	List  []message
}

// The check in front of the library lets pass what the library takes, unless it is
// nested too deep or claims too much, and never fails on its own encoding.
func FuzzMsgpack(f *testing.F) {
	whole, err := libraryCodec{}.append(nil, &message{Text: "t", Any: 1.5, Map: map[string]int{"a": 1}, List: []message{{}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(bytes.Repeat([]byte{0x91}, 300))
	f.Add([]byte("\xdf\xff\xff\xff\xff\xa1a"))
	f.Add([]byte("\xc7\x02\x05ab\xd8\x050123456789abcdef"))
	f.Add([]byte("\x82\xa3Any0\xa3Any0")) // the library panics
	f.Add([]byte("\x81\xa3Msg\xdb\x00\x00\x00\x05hello"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var m message
		if err := (libraryCodec{}).decode(b, &m); err == nil {
			again, err := libraryCodec{}.append(nil, &m)
			if err != nil {
				t.Fatalf("%+v cannot be encoded: %v", m, err)
			}
			if err := checkMsgpack(again); err != nil {
				t.Errorf("own encoding %x: %v", again, err)
			}
		}
		if text, rest, ok := ReadText(b); ok {
			var want string
			if err := (libraryCodec{}).decode(b, &want); err != nil || want != string(text) {
				t.Errorf("ReadText(%x) = %q, the library says %q, %v", b, text, want, err)
			}
			if len(text)+len(rest) >= len(b) {
				t.Errorf("ReadText(%x) leaves %x", b, rest)
			}
			own, err := libraryCodec{}.append(nil, &want)
			if got := AppendText(nil, want); err != nil || !bytes.Equal(got, own) {
				t.Errorf("AppendText(%q) = %x, the library says %x, %v", want, got, own, err)
			}
		}
	})
}

func TestMsgpackThatWouldHarmIsRefused(t *testing.T) {
	for name, b := range map[string][]byte{
		"nothing":             {},
		"nested too deep":     append(bytes.Repeat([]byte{0x91}, 1<<20), 0xc0),
		"claims 2^32 entries": []byte("\xdf\xff\xff\xff\xff\xa1a"),
		"claims 2^32 bytes":   []byte("\xc6\xff\xff\xff\xffabc"),
		"format without use":  {0xc1},
		"cut off":             []byte("\x81\xa4Text"),
		"length cut off":      {0xda, 0x01},
	} {
		var m message
		if err := (libraryCodec{}).decode(b, &m); err == nil {
			t.Errorf("%s: %+v, want an error", name, m)
		}
	}
	deep := append(bytes.Repeat([]byte{0x91}, maxDepth-1), 0xc0)
	if err := checkMsgpack(deep); err != nil {
		t.Errorf("%d levels: %v", maxDepth-1, err)
	}
	for _, format := range msgpackFormats {
		if format.perElement > 0 && format.fixed > 0 {
			t.Errorf("%+v is neither bytes nor values", format)
		}
	}
}

// A message that was used before keeps nothing of it.
func TestDecodingReplacesTheWholeMessage(t *testing.T) {
	m := message{Text: "old", Bytes: []byte("old"), List: []message{{Text: "old"}}}
	b, err := libraryCodec{}.append(nil, &struct{ Text string }{"new"})
	if err != nil {
		t.Fatal(err)
	}
	if err := (fastCodec{}).decode(b, &m); err != nil || m.Text != "new" || m.Bytes != nil || m.List != nil {
		t.Errorf("%+v, %v, want the new text alone", m, err)
	}
	for _, v := range []any{message{}, (*message)(nil), nil} {
		if err := (libraryCodec{}).decode(b, v); err == nil {
			t.Errorf("decoded into %#v", v)
		}
	}
}

// However the bytes are cut, an inbox gives the same frames and the same error.
func FuzzInbox(f *testing.F) {
	two := appendFrame(appendFrame(nil, Header{Stream: 1}, []byte("body")), Header{Kind: KindHeartbeat}, nil)
	f.Add(two, uint16(3))
	f.Add(append(slices.Clone(two), 0x11, 0x01), uint16(1))
	f.Add(AppendHeader(two, Header{Length: 1 << 31}), uint16(7))
	f.Add(appendFrame(nil, Header{}, make([]byte, 9000)), uint16(5000))
	f.Fuzz(func(t *testing.T, b []byte, cut uint16) {
		whole, wholeErr := frames(b, len(b)+1)
		pieces, piecesErr := frames(b, int(cut)+1)
		if !bytes.Equal(whole, pieces) || wholeErr != piecesErr {
			t.Errorf("whole %x, %s\nin pieces %x, %s", whole, wholeErr, pieces, piecesErr)
		}
	})
}

// frames reads b through an inbox, step bytes at a time, and returns the frames and the
// error that ended it.
func frames(b []byte, step int) (all []byte, end string) {
	in := inbox{limit: 1 << 20}
	r := &steps{b: b, step: step}
	for {
		readErr := in.fill(r)
		for {
			h, body, ok, err := in.next()
			if err != nil {
				return all, err.Error()
			}
			if !ok {
				break
			}
			all = appendFrame(all, h, body)
		}
		if readErr != nil {
			return all, readErr.Error()
		}
	}
}
