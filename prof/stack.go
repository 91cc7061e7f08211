package prof

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/google/pprof/profile"
)

// sumByStack merges samples of equal stack and labels, in the order of the profile.
// The samples are new, their locations the profile's. The index leads from a stack's
// key, which is comparable between profiles, to its sample.
func sumByStack(p *profile.Profile) (samples []*profile.Sample, index map[string]int) {
	index = make(map[string]int, len(p.Sample))
	locations := make(map[*profile.Location]string, len(p.Location))
	var key []byte
	for _, s := range p.Sample {
		key = key[:0]
		for _, l := range s.Location {
			id, ok := locations[l]
			if !ok {
				id = string(appendLocation(nil, l))
				locations[l] = id
			}
			key = appendText(key, id)
		}
		key = appendLabels(append(key, 0), s)
		if i, ok := index[string(key)]; ok {
			for c, v := range s.Value {
				samples[i].Value[c] += v
			}
			continue
		}
		index[string(key)] = len(samples)
		samples = append(samples, &profile.Sample{
			Location: s.Location, Value: slices.Clone(s.Value),
			Label: s.Label, NumLabel: s.NumLabel, NumUnit: s.NumUnit,
		})
	}
	return samples, index
}

// appendLocation identifies a location by its lines or, without symbols, by where it
// lies in the file.
func appendLocation(key []byte, l *profile.Location) []byte {
	if len(l.Line) == 0 {
		address, file := l.Address, ""
		if m := l.Mapping; m != nil {
			address, file = l.Address-m.Start+m.Offset, m.File
		}
		return binary.AppendUvarint(appendText(key, file), address)
	}
	for _, line := range l.Line {
		key = appendText(key, line.Function.Name)
		key = appendText(key, line.Function.Filename)
		key = binary.AppendVarint(key, line.Line)
	}
	return key
}

// appendLabels identifies a sample by its labels; the heap profiler labels each
// sample with the size of its objects.
func appendLabels(key []byte, s *profile.Sample) []byte {
	for _, name := range slices.Sorted(maps.Keys(s.Label)) {
		key = appendText(key, name)
		for _, v := range s.Label[name] {
			key = appendText(key, v)
		}
		key = append(key, 0)
	}
	key = append(key, 0)
	for _, name := range slices.Sorted(maps.Keys(s.NumLabel)) {
		key = appendText(key, name)
		for _, v := range s.NumLabel[name] {
			key = binary.AppendVarint(key, v)
		}
		key = append(key, 0)
	}
	return key
}

func appendText(key []byte, s string) []byte {
	return append(binary.AppendUvarint(key, uint64(len(s))), s...)
}
