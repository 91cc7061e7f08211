package prof

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"regexp"
)

const converts = ": go tool pprof -proto FILE >new.pb.gz converts it"

// otherFormats are how files of other kinds begin, and what they are. What is said ends with what to do, where hone
// knows it.
var otherFormats = []struct {
	begin *regexp.Regexp
	what  string
}{
	{regexp.MustCompile(`^--- (?:heapz|contentionz|threadz|growthz|profilez|Thread|heap \d)`),
		"a profile of a C++ or Java program in the text format before protobuf" + converts},
	{regexp.MustCompile(`^heap_v2/`), "a heap profile of jemalloc, which has addresses and no names: jeprof reads it"},
	{regexp.MustCompile(`^go 1\.\d+ trace\x00`), "an execution trace and not a profile: hone tail FILE reads it"},
	{regexp.MustCompile(`^mode: (?:set|count|atomic)\s`),
		"a coverage profile of go test: go tool cover -func FILE reads it"},
	{regexp.MustCompile(`^FLR\x00`), "a recording of Java Flight Recorder"},
	{regexp.MustCompile(`^PERFILE2`), "a recording of Linux perf: perf_to_profile converts it"},
	{regexp.MustCompile(`^\x28\xb5\x2f\xfd`), "compressed by zstd: zstd -d FILE unpacks it"},
	{regexp.MustCompile(`^PK\x03\x04`), "a zip archive: unpack it first"},
	{regexp.MustCompile(`^version https://git-lfs`), "a pointer of Git LFS to a file that is not there: git lfs pull"},
	{regexp.MustCompile(`(?i)^\s*<(?:!doctype|html|\?xml)`),
		"a page of HTML or XML: was it an answer of another address?"},
	{regexp.MustCompile(`^\d{3} page not found`),
		"an answer of a server that has no profiles there: is net/http/pprof served at this path?"},
	{regexp.MustCompile(`^\s*[{\[]\s*["{\[]`), "JSON and not a profile"},
	{regexp.MustCompile(`^[^\x00-\x20;][^\x00-\x1f;]*(?:;[^\x00-\x1f;]+)+ \d+\r?\n`),
		"folded stacks of a flame graph, which have no types and lines"},
}

// otherFormat is the error of a file that is known to be no profile that hone reads; nil if it may be one.
func otherFormat(head []byte) error {
	for _, f := range otherFormats {
		if f.begin.Match(head) {
			return errors.New(f.what)
		}
	}
	return nil
}

// headBytes is how much of a file is looked at to tell its format.
const headBytes = 512

// otherInside is otherFormat of what a gzipped file begins with; nil if the file is not gzipped.
func otherInside(in *bufio.Reader) error {
	packed, err := in.Peek(in.Size())
	if (err != nil && !errors.Is(err, io.EOF)) || !bytes.HasPrefix(packed, []byte("\x1f\x8b")) {
		return nil
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	head := make([]byte, headBytes)
	n, _ := io.ReadFull(z, head) // of a part of a file
	return otherFormat(head[:n])
}
