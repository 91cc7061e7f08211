package prof

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/google/pprof/profile"
)

// Parse reads one profile in the pprof protobuf format, gzipped or not, and
// checks it with CheckValid. It refuses the old text formats (debug=1), several
// profiles in one file, bytes behind the profile, and whatever exceeds limits
// (ErrLimit) before it spends the memory. It never panics on bad input and reads
// at most one byte more than the limits allow.
func Parse(r io.Reader, limits Limits) (*profile.Profile, error) {
	limits = limits.withDefaults()
	message, err := readMessage(bufio.NewReader(r), limits)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	p, err := decode(message, limits)
	if err != nil {
		return nil, fmt.Errorf("parse profile: %w", err)
	}
	return p, nil
}

// readMessage returns the protobuf message, unpacked if it was gzipped.
func readMessage(r *bufio.Reader, limits Limits) ([]byte, error) {
	magic, err := r.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if string(magic) != "\x1f\x8b" {
		return readBounded(r, limits.Uncompressed, "uncompressed")
	}
	packed, err := readBounded(r, limits.Compressed, "gzipped")
	if err != nil {
		return nil, err
	}
	return gunzip(packed, limits.Uncompressed)
}

func readBounded(r io.Reader, limit int64, what string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: more than %d bytes %s", ErrLimit, limit, what)
	}
	return data, nil
}

func decode(message []byte, limits Limits) (*profile.Profile, error) {
	if len(message) == 0 {
		return nil, errors.New("empty input")
	}
	if err := checkDecodedSize(message, limits.Memory); err != nil {
		return nil, err
	}
	p, err := profile.ParseUncompressed(message)
	if err != nil {
		return nil, err
	}
	if len(p.SampleType) == 0 {
		// Arbitrary bytes can pass as a message of unknown fields only.
		return nil, errors.New("no sample types: not a profile")
	}
	if err := p.CheckValid(); err != nil {
		return nil, err
	}
	return p, checkFrames(p, limits.Frames)
}

// checkFrames counts frames over all samples: few bytes can describe many when
// many samples share a location with many inlined lines.
func checkFrames(p *profile.Profile, limit int64) error {
	var frames int64
	for _, s := range p.Sample {
		for _, l := range s.Location {
			frames += int64(max(1, len(l.Line)))
		}
		if frames > limit {
			return fmt.Errorf("%w: more than %d frames", ErrLimit, limit)
		}
	}
	return nil
}
