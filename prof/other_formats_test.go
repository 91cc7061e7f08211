package prof

import (
	"bytes"
	"strings"
	"testing"
)

// Files of other kinds are named, gzipped or not.
func TestParseNamesOtherFormats(t *testing.T) {
	for in, want := range map[string]string{
		"--- contentionz 1 ---\ncycles/second = 1\n": "go tool pprof -proto FILE",
		"--- heapz 1 ---\nformat = java\n":           "before protobuf",
		"--- threadz 1 ---\n":                        "before protobuf",
		"heap_v2/524288\n  t*: 1: 2 [0: 0]\n":        "jemalloc",
		"go 1.22 trace\x00\x00\x00":                  "hone tail FILE",
		"mode: atomic\nmain.go:1.2,3.4 1 1\n":        "go tool cover",
		"FLR\x00\x00\x02":                            "Java Flight Recorder",
		"404 page not found\n":                       "net/http/pprof",
		"<!doctype html>\n":                          "HTML",
		`{"nodes": []}`:                              "JSON",
		"main;serve;read 12\nmain;serve 3\n":         "folded stacks",
	} {
		for _, file := range [][]byte{[]byte(in), pack(t, []byte(in))} {
			if _, err := Parse(bytes.NewReader(file), Limits{}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%.20q: %v, want %s", in, err, want)
			}
		}
	}
	java := "\x00\x00\x00\x00\x03\x00\x00\x00\x01\x00\x00\x00\x10\x27\x00\x00"
	if _, err := Parse(strings.NewReader(java), Limits{}); err == nil ||
		!strings.Contains(err.Error(), "before protobuf") {
		t.Errorf("a CPU profile of Java: %v", err)
	}
}

// What is packed may look like a line of folded stacks by chance, one profile of ten thousand: it is not text.
func TestPackedBytesAreNoFoldedStacks(t *testing.T) {
	for _, head := range []string{"\x1f\x8b\x08main;work 12\n", "a\x00b;c 3\n"} {
		if err := otherFormat([]byte(head)); err != nil {
			t.Errorf("%q: %v", head, err)
		}
	}
	if err := otherFormat([]byte("main;work 12\n")); err == nil {
		t.Error("folded stacks are not recognised")
	}
}
