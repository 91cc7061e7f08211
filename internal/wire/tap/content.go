package tap

import (
	"bytes"
	"compress/zlib"
	"errors"
	"hash/maphash"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// knownContent is the content of answers as it is compared.
type knownContent struct {
	body   []byte
	hash   uint64
	packed string
	json   bool
	opaque bool // it is packed, and could not be unpacked
}

// knownContents are the contents of one start: what comes again is unpacked once. The zero value is ready.
type knownContents struct {
	all   map[contentKey]knownContent
	seed  maphash.Seed
	bytes int // of all bodies
}

type contentKey struct {
	wire   uint64
	length int
	coding string
	json   bool
}

const (
	// maxUnpacked bounds what one content becomes when it is unpacked, maxContents all contents of a start: answers
	// beyond that are not compared.
	maxUnpacked = 16 << 20
	maxContents = 64 << 20
)

// read is a content that came as wire; false where there is no room for it. Packed content that
// cannot be unpacked is compared as it came.
func (k *knownContents) read(wire []byte, header http.Header, own ownWords) (knownContent, bool) {
	coding, json := strings.ToLower(strings.Join(header.Values("Content-Encoding"), ", ")),
		isJSON(header.Get("Content-Type"))
	if k.all == nil {
		k.all, k.seed = map[contentKey]knownContent{}, maphash.MakeSeed()
	}
	key := contentKey{maphash.Bytes(k.seed, wire), len(wire), coding, json}
	if c, known := k.all[key]; known {
		return c, true
	}
	c := knownContent{body: wire, json: json}
	if coding != "" && coding != "identity" {
		c.packed, c.opaque = coding, true
		if body, err := unpack(coding, wire, min(maxUnpacked, maxContents-k.bytes)); err == nil {
			c.body, c.opaque = body, false
		}
	}
	if k.bytes += len(c.body); k.bytes > maxContents {
		return c, false
	}
	c.body = bytes.Clone(own.neutral(c.body))
	c.hash = hashOf(c.body)
	k.all[key] = c
	return c, true
}

// isJSON says that a content type is JSON, or lines of it (RFC 6839 section 3.1 and their custom).
func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil && kind == "" {
		return false
	}
	switch kind {
	case "application/json", "text/json", "application/x-ndjson", "application/ndjson", "application/jsonl",
		"application/x-jsonlines":
		return true
	}
	return strings.HasSuffix(kind, "+json")
}

var (
	errTooLong    = errors.New("the content is too long")
	errNoUnpacker = errors.New("unknown content coding")
)

// unpack undoes content codings, the last one first (RFC 9110 section 8.4), up to so many bytes.
func unpack(codings string, b []byte, most int) ([]byte, error) {
	list := strings.Split(codings, ",")
	for i := len(list) - 1; i >= 0; i-- {
		in, err := unpacker(strings.TrimSpace(list[i]), b)
		if err != nil {
			return nil, err
		}
		b, err = io.ReadAll(io.LimitReader(in, int64(most)+1))
		in.Close()
		if err != nil {
			return nil, err
		}
		if len(b) > most {
			return nil, errTooLong
		}
	}
	return b, nil
}

func unpacker(coding string, b []byte) (io.ReadCloser, error) {
	in := bytes.NewReader(b)
	switch coding {
	case "gzip", "x-gzip":
		return gzip.NewReader(in)
	case "deflate": // zlib by the standard; some send it bare
		if r, err := zlib.NewReader(in); err == nil {
			return r, nil
		}
		return flate.NewReader(bytes.NewReader(b)), nil
	case "zstd":
		// RFC 9659: a window of 8 MiB is the largest that is allowed.
		d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	case "identity":
		return io.NopCloser(in), nil
	}
	return nil, errNoUnpacker
}
