package rpc

import (
	"bytes"
	"reflect"
	"testing"
	"time"
)

// FuzzFront: a body that begins like the one before means what decoding it says, whatever
// the two are.
func FuzzFront(f *testing.F) {
	usual := AppendRequest(nil, &Request{ServicePath: "/a/b", Metadata: Metadata{"timeout": []byte("1000"), "k": nil}, Payload: []byte("one")})
	other := AppendRequest(nil, &Request{ServicePath: "/a/b", Metadata: Metadata{"timeout": []byte("1000"), "k": nil}, Payload: bytes.Repeat([]byte("two"), 100)})
	f.Add(usual, other)
	f.Add(usual, append(bytes.Clone(other), other...))
	f.Add(append(bytes.Clone(other), usual...), other)
	f.Add(usual, usual[:len(usual)-1])
	f.Add([]byte{fieldPayload<<3 | wireBytes, 1, 'x'}, []byte{fieldPayload<<3 | wireBytes, 1, 'y'})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var before envelope
		if before.decodeRequest(first) != nil {
			return
		}
		var fr front
		fr.learn(first, before.payload, &method{}, time.Second)
		for _, body := range [][]byte{first, second} {
			payload, again := fr.match(body)
			if !again {
				continue
			}
			var want envelope
			if err := want.decodeRequest(body); err != nil {
				t.Fatalf("%x matches the front of %x, and is refused: %v", body, first, err)
			}
			var got envelope
			got.take(&fr.env, payload)
			if !bytes.Equal(got.text, want.text) || !bytes.Equal(got.payload, want.payload) || !reflect.DeepEqual(got.metadata(), want.metadata()) {
				t.Errorf("%x behind %x: path %q, payload %x, metadata %v; want %q, %x, %v",
					body, first, got.text, got.payload, got.metadata(), want.text, want.payload, want.metadata())
			}
		}
	})
}

// Calls of one method match each other's fronts; what is learned changes with the method,
// after a while.
func TestFrontIsLearned(t *testing.T) {
	body := func(path, payload string) []byte {
		return AppendRequest(nil, &Request{ServicePath: path, Metadata: Metadata{TimeoutKey: []byte("5000")}, Payload: []byte(payload)})
	}
	var fr front
	a, b := &method{path: "/a"}, &method{path: "/b"}
	fr.learn(body("/a", "x"), []byte("x"), a, time.Second)
	if payload, again := fr.match(body("/a", "a longer one")); !again || string(payload) != "a longer one" || fr.method != a || fr.timeout != time.Second {
		t.Errorf("payload %q, %v, front %+v", payload, again, fr)
	}
	for _, other := range [][]byte{body("/b", "x"), body("/a", ""), append(body("/a", "x"), 0), nil} {
		if payload, again := fr.match(other); again {
			t.Errorf("%x matches with payload %q", other, payload)
		}
	}
	learned := 0
	for range patientFront + 1 {
		if fr.worthLearning() {
			learned++
			fr.learn(body("/b", "x"), []byte("x"), b, time.Second)
		}
	}
	if _, again := fr.match(body("/b", "y")); !again || learned != 1 || fr.method != b {
		t.Errorf("learned %d times, front %+v", learned, fr)
	}
}
