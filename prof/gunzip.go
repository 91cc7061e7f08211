package prof

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// gunzip unpacks exactly one gzip member. It unpacks twice, first only to screen and to
// count, so that a file which unpacks to more than a limit costs some buffers and not the
// limit.
func gunzip(packed []byte, limits Limits) ([]byte, error) {
	if size := claimedSize(packed); size > limits.Uncompressed {
		return nil, fmt.Errorf("%w: says it unpacks to %d bytes, more than %d", ErrLimit, size, limits.Uncompressed)
	}
	size, err := screenPacked(packed, limits)
	if err != nil {
		return nil, err
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

// screenPacked screens the message while it unpacks it into nothing, and returns its
// length. It checks the length, the checksum and that nothing follows.
func screenPacked(packed []byte, limits Limits) (int64, error) {
	rest := bytes.NewReader(packed)
	gz, err := gzip.NewReader(rest)
	if err != nil {
		return 0, fmt.Errorf("unpack gzip: %w", err)
	}
	gz.Multistream(false)
	unpacked := &io.LimitedReader{R: gz, N: limits.Uncompressed + 1}
	if err := screened(unpacked, limits); err != nil {
		return 0, err
	}
	if unpacked.N <= 0 {
		return 0, fmt.Errorf("%w: more than %d bytes uncompressed", ErrLimit, limits.Uncompressed)
	}
	if _, err := rest.ReadByte(); err == nil {
		if second := packed[len(packed)-rest.Len()-1:]; bytes.HasPrefix(second, packed[:2]) {
			return 0, errors.New("unpack gzip: several profiles in one file; merge them with go tool pprof -proto")
		}
		return 0, fmt.Errorf("unpack gzip: %d bytes behind the end of the profile", rest.Len()+1)
	}
	return limits.Uncompressed + 1 - unpacked.N, nil
}

// tellTale is how much of a packed file that holds no message is unpacked further, to say
// that the packing is at fault where it is.
const tellTale = 16 << 20

// screened screens the message that r unpacks.
func screened(r *io.LimitedReader, limits Limits) error {
	s := screen{limits: limits}
	err := stream(r, s.admit)
	if errors.Is(err, errWire) && r.N > 0 {
		if _, damaged := io.CopyN(io.Discard, r, tellTale); damaged != nil && !errors.Is(damaged, io.EOF) {
			err = damaged
		}
	}
	if err == nil || errors.Is(err, errWire) || errors.Is(err, ErrLimit) {
		return err
	}
	return fmt.Errorf("unpack gzip: %w", err)
}
