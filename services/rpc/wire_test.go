package rpc_test

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"

	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

// unhex reads hex digits with blanks between them.
func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The vectors of this file were written by hand from the tables in README.md.

func TestHeaderIsTheWireFormat(t *testing.T) {
	for _, c := range []struct {
		wire string
		want rpc.Header
	}{
		// magic, version, message type 0, request type 0, compression 0,
		// stream id 0x0102, length 0x00000029, reserved
		{"11 00 00 00 00 0102 00000029 00000000", rpc.Header{Stream: 0x102, Length: 0x29}},
		// a heartbeat: message type 1, no body
		{"11 00 01 00 00 ffff 00000000 00000000", rpc.Header{Kind: rpc.KindHeartbeat, Stream: 0xffff}},
		// request type 1 (send only), compression 2, length 0x01020304
		{"11 00 00 01 02 0001 01020304 00000000", rpc.Header{Mode: rpc.ModeSendOnly, Compress: 2, Stream: 1, Length: 0x1020304}},
	} {
		wire := unhex(t, c.wire)
		if got := rpc.AppendHeader([]byte("x"), c.want)[1:]; !bytes.Equal(got, wire) {
			t.Errorf("%+v is %x, want %x", c.want, got, wire)
		}
		got, err := rpc.DecodeHeader(wire)
		if err != nil || got != c.want {
			t.Errorf("%x is %+v, %v, want %+v", wire, got, err, c.want)
		}
		copy(wire[11:], "\xde\xad\xbe\xef") // reserved may hold anything
		if got, err := rpc.DecodeHeader(wire); err != nil || got != c.want {
			t.Errorf("%x is %+v, %v, want %+v", wire, got, err, c.want)
		}
	}
}

// A tag is field number * 8 + wire type, wire type 2 for strings, bytes and entries:
// field 2 is 12, 3 is 1a, 4 is 22; field 1 as a varint is 08.
var requestVectors = []struct {
	wire string
	want rpc.Request
}{
	{"", rpc.Request{}},
	// 12 1c: field 2 of 28 bytes, the path; 22 0b: field 4 of 11 bytes, a map of one
	// entry (81), "Msg" (a3 4d7367), "hello" (a5 68656c6c6f)
	{`12 1c 2f68656c6c6f776f726c642e477265657465722f53617948656c6c6f
	  22 0b 81 a3 4d7367 a5 68656c6c6f`,
		rpc.Request{ServicePath: helloworld.Path, Payload: []byte("\x81\xa3Msg\xa5hello")}},
	// 12 01: "p"; 1a 06: an entry of 6 bytes: 0a 01 key "a", 12 01 value "b";
	// 1a 04: key "" (0a 00), value "" (12 00), sorted before it
	{"12 01 70  1a 04 0a 00 12 00  1a 06 0a 01 61 12 01 62",
		rpc.Request{ServicePath: "p", Metadata: rpc.Metadata{"": {}, "a": []byte("b")}}},
}

var responseVectors = []struct {
	wire string
	want rpc.Response
}{
	{"", rpc.Response{}},
	{"22 0b 81 a3 4d7367 a5 776f726c64", rpc.Response{Payload: []byte("\x81\xa3Msg\xa5world")}},
	// 08 ac 02: code 300 = 0b10_0101100, low 7 bits first, with 0x80 for more; 12 02: "no";
	// 1a 07: key "k", value ff 00
	{"08 ac02  12 02 6e6f  1a 07 0a 01 6b 12 02 ff00", rpc.Response{Code: 300, Message: "no", Metadata: rpc.Metadata{"k": {0xff, 0}}}},
}

func TestEnvelopeIsTheWireFormat(t *testing.T) {
	for _, c := range requestVectors {
		wire := unhex(t, c.wire)
		if got := rpc.AppendRequest([]byte("x"), &c.want)[1:]; !bytes.Equal(got, wire) {
			t.Errorf("%+v is %x, want %x", c.want, got, wire)
		}
		if got, err := rpc.DecodeRequest(wire); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%x is %+v, %v, want %+v", wire, got, err, c.want)
		}
	}
	for _, c := range responseVectors {
		wire := unhex(t, c.wire)
		if got := rpc.AppendResponse([]byte("x"), &c.want)[1:]; !bytes.Equal(got, wire) {
			t.Errorf("%+v is %x, want %x", c.want, got, wire)
		}
		if got, err := rpc.DecodeResponse(wire); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%x is %+v, %v, want %+v", wire, got, err, c.want)
		}
	}
}

// What other encoders may write means the same.
func TestUnusualEnvelopesAreUnderstood(t *testing.T) {
	plain := rpc.Request{ServicePath: "p", Metadata: rpc.Metadata{"a": []byte("b")}, Payload: []byte("q")}
	for name, wire := range map[string]string{
		"fields in another order":    "22 01 71  1a 06 0a 01 61 12 01 62  12 01 70",
		"the last one wins":          "12 01 78  22 02 7878  12 01 70  22 01 71  1a 06 0a0161 120178  1a 06 0a0161 120162",
		"value before key":           "12 01 70  1a 06 12 01 62 0a 01 61  22 01 71",
		"keys twice in an entry":     "12 01 70  1a 09 0a 01 78 0a 01 61 12 01 62  22 01 71",
		"unknown fields":             "28 05  12 01 70  31 0102030405060708  1a 06 0a0161 120162  3d 01020304  22 01 71  42 02 0000",
		"unknown field in an entry":  "12 01 70  1a 08 0a 01 61 18 05 12 01 62  22 01 71",
		"an unknown group":           "12 01 70  2b 08 01 2c  1a 06 0a 01 61 12 01 62  22 01 71",
		"lengths of several bytes":   "12 8100 70  1a 868000 0a0161 120162  22 81808080808080808000 71",
		"tags of several bytes":      "9200 01 70  1a 06 0a0161 120162  a28000 01 71",
		"field 1, which is Response": "08 2a  12 01 70  1a 06 0a0161 120162  22 01 71",
	} {
		got, err := rpc.DecodeRequest(unhex(t, wire))
		if err != nil || !reflect.DeepEqual(got, plain) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, plain)
		}
	}
	for name, wire := range map[string]string{
		"length beyond the end":  "12 05 70",
		"end within a tag":       "92",
		"end within a varint":    "08 80",
		"varint of 11 bytes":     "08 8080808080808080808001",
		"field 0":                "02 01 70",
		"path that is not UTF-8": "12 01 ff",
		"key that is not UTF-8":  "1a 03 0a 01 ff",
		"group that never ends":  "2b 08 01",
		"end of another group":   "2c",
		"wire type 7":            "2f",
		"entry beyond its end":   "1a 02 0a 05",
		"unknown fixed, cut off": "31 01",
	} {
		if got, err := rpc.DecodeRequest(unhex(t, wire)); err == nil {
			t.Errorf("%s: %+v, want an error", name, got)
		}
	}
}
