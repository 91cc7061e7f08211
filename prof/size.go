package prof

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/google/pprof/profile"
)

// Bytes that google/pprof's decoder allocates for one element, garbage included.
var (
	sampleBytes   = int64(reflect.TypeFor[profile.Sample]().Size()) + pointerBytes
	mappingBytes  = int64(reflect.TypeFor[profile.Mapping]().Size()) + pointerBytes + tableBytes
	locationBytes = int64(reflect.TypeFor[profile.Location]().Size()) + pointerBytes + tableBytes
	functionBytes = int64(reflect.TypeFor[profile.Function]().Size()) + pointerBytes + tableBytes
	lineBytes     = int64(reflect.TypeFor[profile.Line]().Size()) * growth
)

const (
	// growth is what one element of a slice costs that append has grown to it: Go grows
	// large slices by a quarter, so that all former arrays together hold four times the
	// last one, and that may be a quarter too large.
	growth = 7

	pointerBytes = 8 * growth
	tableBytes   = 96 // id tables of the decoder and of CheckValid
	idBytes      = 8  // a location's pointer, besides its id
	valueBytes   = 8 * growth
	stringBytes  = 16 * growth
	labelsBytes  = 800 // three maps, two of them with a group of eight slots
	labelBytes   = 256
)

// Fields of profile.proto: of Profile, Sample and Location.
const (
	profileSampleType = 1
	profileSample     = 2
	profileMapping    = 3
	profileLocation   = 4
	profileFunction   = 5
	profileString     = 6
	profileComment    = 13

	sampleLocation = 1
	sampleValue    = 2
	sampleLabel    = 3

	locationLine = 4
)

var errNoValues = errors.New("a sample without values: not a profile")

// screen decides whether a message may be decoded, field by field, so that neither the
// message nor what is decoded from it has to be in memory. Two bytes make an empty
// sample, which decodes to over a hundred, so a bound on the message alone bounds nothing.
type screen struct {
	limits      Limits
	bytes       int64 // what decoding allocates, estimated from above
	sampleTypes int
	unknown     int // bytes of fields that no version of the format had
}

// admit takes the next field, or refuses the message.
func (s *screen) admit(f field) error {
	n, err := s.decodedBytes(f)
	if err != nil {
		return err
	}
	if s.bytes += n; s.bytes > s.limits.Memory {
		return fmt.Errorf("%w: decoding takes more than %d bytes", ErrLimit, s.limits.Memory)
	}
	return nil
}

func (s *screen) decodedBytes(f field) (int64, error) {
	switch f.number {
	case profileSample:
		return s.sampleSize(f.bytes)
	case profileLocation:
		return s.locationSize(f.bytes)
	case profileSampleType:
		if s.sampleTypes++; s.sampleTypes > maxSampleTypes {
			return 0, fmt.Errorf("%w: more than %d sample types", ErrLimit, maxSampleTypes)
		}
		return mappingBytes, nil
	case profileMapping:
		return mappingBytes, nil
	case profileFunction:
		return functionBytes, nil
	case profileString:
		return stringBytes + int64(len(f.bytes)), nil
	case profileComment:
		return (stringBytes + valueBytes) * f.varints(), nil
	}
	if s.unknown += len(f.bytes); s.unknown > maxField {
		return 0, fmt.Errorf("%w: more than %d bytes of unknown fields", ErrLimit, maxField)
	}
	return int64(len(f.bytes)), nil
}

func (s *screen) sampleSize(sample []byte) (int64, error) {
	size, labels, frames, values := sampleBytes, int64(0), int64(0), int64(0)
	err := walk(sample, func(f field) error {
		switch f.number {
		case sampleLocation:
			n := f.varints()
			if frames += n; frames > s.limits.Depth {
				return s.limits.tooDeep()
			}
			size += n * perVarint(f, idBytes)
		case sampleValue:
			values += f.varints()
			size += f.varints() * perVarint(f, 0)
		case sampleLabel:
			labels++
		}
		return nil
	})
	if err == nil && values == 0 {
		return 0, errNoValues // what decoding finds out only when all is in memory
	}
	if labels > 0 {
		size += labelsBytes + labels*labelBytes
	}
	return size, err
}

// perVarint is what one number of a repeated field costs besides extra: packed ones
// come with their count, plain ones grow the slice.
func perVarint(f field, extra int64) int64 {
	if f.packed {
		return 8*2 + extra // twice, because the race detector makes slices.Grow copy
	}
	return valueBytes + extra
}

func (s *screen) locationSize(location []byte) (int64, error) {
	size, lines := locationBytes, int64(0)
	err := walk(location, func(f field) error {
		if f.number == locationLine {
			if lines++; lines > s.limits.Depth {
				return s.limits.tooDeep()
			}
			size += lineBytes
		}
		return nil
	})
	return size, err
}
