package prof

import (
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

// checkDecodedSize estimates, from above, what decoding the message allocates, and
// refuses a message over the limit. Two bytes make an empty sample, which decodes
// to over a hundred, so a bound on the message alone bounds nothing.
func checkDecodedSize(message []byte, limit int64) error {
	var size int64
	return walk(message, func(f field) error {
		n, err := decodedBytes(f)
		if err != nil {
			return err
		}
		if size += n; size > limit {
			return fmt.Errorf("%w: decoding takes more than %d bytes", ErrLimit, limit)
		}
		return nil
	})
}

func decodedBytes(f field) (int64, error) {
	switch f.number {
	case profileSample:
		return sampleSize(f.bytes)
	case profileLocation:
		return locationSize(f.bytes)
	case profileMapping, profileSampleType:
		return mappingBytes, nil
	case profileFunction:
		return functionBytes, nil
	case profileString:
		return stringBytes + int64(len(f.bytes)), nil
	case profileComment:
		return (stringBytes + valueBytes) * f.varints(), nil
	}
	return 0, nil
}

func sampleSize(sample []byte) (int64, error) {
	size, labels := sampleBytes, int64(0)
	err := walk(sample, func(f field) error {
		switch f.number {
		case sampleLocation:
			size += f.varints() * perVarint(f, idBytes)
		case sampleValue:
			size += f.varints() * perVarint(f, 0)
		case sampleLabel:
			labels++
		}
		return nil
	})
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

func locationSize(location []byte) (int64, error) {
	size := locationBytes
	err := walk(location, func(f field) error {
		if f.number == locationLine {
			size += lineBytes
		}
		return nil
	})
	return size, err
}
