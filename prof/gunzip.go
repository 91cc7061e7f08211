package prof

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// gunzip unpacks the members of a gzip file, which are one message together (RFC 1952, section 2.2). It unpacks twice,
// first only to screen and to count, so that a file which unpacks to more than a limit costs some buffers and not the
// limit.
func gunzip(packed []byte, limits Limits) ([]byte, error) {
	if size := claimedSize(packed); size > limits.Uncompressed {
		return nil, fmt.Errorf("%w: says it unpacks to %d bytes, more than %d", ErrLimit, size, limits.Uncompressed)
	}
	size, err := screenPacked(packed, limits)
	if err != nil {
		return nil, err
	}
	m, err := membersOf(packed)
	if err != nil {
		return nil, fmt.Errorf("unpack gzip: %w", err)
	}
	message := make([]byte, size)
	if _, err := io.ReadFull(m, message); err != nil {
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
// length. It checks the lengths, the checksums and that nothing but members follows.
func screenPacked(packed []byte, limits Limits) (int64, error) {
	m, err := membersOf(packed)
	if err != nil {
		return 0, fmt.Errorf("unpack gzip: %w", err)
	}
	unpacked := &io.LimitedReader{R: m, N: limits.Uncompressed + 1}
	if err := screened(unpacked, limits); err != nil {
		return 0, err
	}
	if unpacked.N <= 0 {
		return 0, fmt.Errorf("%w: more than %d bytes uncompressed", ErrLimit, limits.Uncompressed)
	}
	return limits.Uncompressed + 1 - unpacked.N, nil
}

// members unpacks the members of a gzip file, one after the other.
type members struct {
	rest *bytes.Reader
	gz   *gzip.Reader
}

func membersOf(packed []byte) (*members, error) {
	m := &members{rest: bytes.NewReader(packed)}
	var err error
	if m.gz, err = gzip.NewReader(m.rest); err != nil {
		return nil, err
	}
	m.gz.Multistream(false)
	return m, nil
}

// Read fails if what follows a member is not a member.
func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.gz.Read(p)
		if n > 0 || err != io.EOF {
			return n, noEOF(err)
		}
		behind := m.rest.Len()
		if behind == 0 {
			return 0, io.EOF
		}
		first, _ := m.rest.ReadByte()
		_ = m.rest.UnreadByte()
		if first != 0x1f { // of a member's magic number
			return 0, fmt.Errorf("%d bytes after the end of the profile", behind)
		}
		if err := m.gz.Reset(m.rest); err != nil {
			return 0, err
		}
		m.gz.Multistream(false)
	}
}

// noEOF leaves the end of one member out.
func noEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
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
