package tcp

import (
	"bytes"
	"testing"
)

// A name of every length that its first byte can say is cut off, and none that is not there.
func TestChatNamesOfEveryLength(t *testing.T) {
	for n := range 256 {
		b := append([]byte{byte(n)}, bytes.Repeat([]byte("x"), n)...)
		name, rest, ok := cutChatName(append(b, "rest"...))
		if !ok || len(name) != n || string(rest) != "rest" {
			t.Fatalf("a name of %d bytes: %q, rest %q, %v", n, name, rest, ok)
		}
		if _, _, ok := cutChatName(b[:n]); ok {
			t.Fatalf("a name of %d bytes that lacks one was taken", n)
		}
	}
}
