package prof

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// gunzip unpacks exactly one gzip member of at most limit bytes. It unpacks twice,
// first only to count, so that a file which unpacks to more than the limit costs
// some buffers and not the limit.
func gunzip(packed []byte, limit int64) ([]byte, error) {
	if size := claimedSize(packed); size > limit {
		return nil, fmt.Errorf("%w: says it unpacks to %d bytes, more than %d", ErrLimit, size, limit)
	}
	size, err := unpackedSize(packed, limit)
	if err != nil {
		return nil, fmt.Errorf("unpack gzip: %w", err)
	}
	gz, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack gzip: %w", err)
	}
	message := make([]byte, size)
	if _, err := io.ReadFull(gz, message); err != nil {
		return nil, fmt.Errorf("unpack gzip: %w", err)
	}
	return message, nil
}

// maxRatio is how much deflate can pack: RFC 1951's longest match, 258 bytes, in the
// two bits that its two shortest codes take.
const maxRatio = 1032

// claimedSize returns the unpacked length that the last four bytes state (RFC 1952,
// section 2.3.1), so that an honest bomb is refused without being unpacked. It
// returns 0 where the claim cannot be true: the end of the file is then no trailer.
func claimedSize(packed []byte) int64 {
	n := len(packed)
	if n < 4 {
		return 0
	}
	size := int64(binary.LittleEndian.Uint32(packed[n-4:]))
	if size > int64(n)*maxRatio {
		return 0
	}
	return size
}

// unpackedSize unpacks into nothing; it checks the length, the checksum and that
// nothing follows.
func unpackedSize(packed []byte, limit int64) (int64, error) {
	rest := bytes.NewReader(packed)
	gz, err := gzip.NewReader(rest)
	if err != nil {
		return 0, err
	}
	gz.Multistream(false)
	size, err := io.Copy(io.Discard, io.LimitReader(gz, limit+1))
	if err != nil {
		return 0, err
	}
	if size > limit {
		return 0, fmt.Errorf("%w: more than %d bytes uncompressed", ErrLimit, limit)
	}
	if _, err := rest.ReadByte(); err == nil {
		if second := packed[len(packed)-rest.Len()-1:]; bytes.HasPrefix(second, packed[:2]) {
			return 0, errors.New("several profiles in one file; merge them with go tool pprof -proto")
		}
		return 0, fmt.Errorf("%d bytes behind the end of the profile", rest.Len()+1)
	}
	return size, nil
}
