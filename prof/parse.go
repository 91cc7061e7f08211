package prof

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/google/pprof/profile"
)

// Parse reads one profile in the pprof protobuf format, gzipped or not, or as Go's
// text (debug=1) if that names the functions, and checks it with CheckValid. It
// refuses the old format of CPU profiles, stacks of goroutines (debug=2), several
// profiles in one file, bytes after the profile, and whatever exceeds limits
// (ErrLimit) before it spends the memory. It never panics on bad input and reads
// at most one byte more than the limits allow.
func Parse(r io.Reader, limits Limits) (*profile.Profile, error) {
	limits = limits.withDefaults()
	in := bufio.NewReader(r)
	if holdsOTLP(in) {
		return nil, fmt.Errorf("parse profile: %w", errOTLP)
	}
	if err := otherInside(in); err != nil {
		return nil, fmt.Errorf("parse profile: %w", err)
	}
	p, legacy, err := parseLegacy(in, limits)
	if legacy {
		if err != nil {
			return nil, fmt.Errorf("parse profile: %w", err)
		}
		return oneLined(p), nil
	}
	message, err := readMessage(in, limits)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	p, err = decode(message, limits)
	if err != nil {
		return nil, fmt.Errorf("parse profile: %w", err)
	}
	return oneLined(p), nil
}

// readMessage returns the protobuf message, unpacked if it was gzipped, once it was
// screened.
func readMessage(r *bufio.Reader, limits Limits) ([]byte, error) {
	magic, err := r.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if string(magic) != "\x1f\x8b" {
		return readPlain(r, limits)
	}
	packed, err := readBounded(r, limits.Compressed, "gzipped")
	if err != nil {
		return nil, err
	}
	return gunzip(packed, limits.forFile(int64(len(packed))))
}

// readPlain screens a message while it comes in, so that a bad one is not read to its end.
func readPlain(r io.Reader, limits Limits) ([]byte, error) {
	var message bytes.Buffer
	bounded := &io.LimitedReader{R: r, N: limits.Uncompressed + 1}
	s := screen{limits: limits}
	err := stream(io.TeeReader(bounded, &message), func(f field) error {
		s.limits = limits.forFile(int64(message.Len()))
		return s.admit(f)
	})
	if int64(message.Len()) > limits.Uncompressed {
		return nil, fmt.Errorf("%w: more than %d bytes uncompressed", ErrLimit, limits.Uncompressed)
	}
	return message.Bytes(), err
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

// decode decodes a message that was screened.
func decode(message []byte, limits Limits) (*profile.Profile, error) {
	if len(message) == 0 {
		return nil, errors.New("empty input")
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
	if err := checkFrames(p, limits); err != nil {
		return nil, err
	}
	return p, prune(p)
}

// mostMatching bounds the work of prune: bytes of names, times bytes of the expressions. It is some seconds.
const mostMatching = 10_000_000_000

// prune takes out the frames that the profile calls uninteresting (drop_frames and keep_frames), as go tool pprof does
// when it reads one. Expressions that are none change nothing there, nor here.
func prune(p *profile.Profile) error {
	if p.DropFrames == "" {
		return nil
	}
	names := 0
	for _, f := range p.Function {
		names += len(f.Name)
	}
	if work := float64(names) * float64(len(p.DropFrames)+len(p.KeepFrames)); work > mostMatching {
		return fmt.Errorf("%w: drop_frames of %d bytes over names of %d bytes", ErrLimit, len(p.DropFrames), names)
	}
	_ = p.RemoveUninteresting()
	return nil
}

// checkFrames counts the frames of each sample and of all: few bytes can describe many
// when many samples share a location with many inlined lines.
func checkFrames(p *profile.Profile, limits Limits) error {
	var all int64
	for _, s := range p.Sample {
		var depth int64
		for _, l := range s.Location {
			depth += int64(max(1, len(l.Line)))
		}
		if depth > limits.Depth {
			return limits.tooDeep()
		}
		if all += depth; all > limits.Frames {
			return fmt.Errorf("%w: more than %d frames", ErrLimit, limits.Frames)
		}
	}
	return nil
}

func (l Limits) tooDeep() error {
	return fmt.Errorf("%w: a stack of more than %d frames", ErrLimit, l.Depth)
}
