package proftest

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/google/pprof/profile"
)

// OTLP is a profile as OTLP's ProfilesData (opentelemetry-proto, profiles/v1development): a profile for each sample
// type, of one resource with these attributes. Labels of samples become attributes.
func OTLP(p *profile.Profile, resource map[string]string) []byte {
	w := &otlpWriter{strings: map[string]uint64{}, functions: [][]byte{nil}, mappings: [][]byte{nil},
		locations: [][]byte{nil}, stacks: [][]byte{nil}, attributes: [][]byte{nil}}
	w.text("")
	for _, f := range p.Function {
		w.functions = append(w.functions, join(varint(1, w.text(f.Name)), varint(2, w.text(f.SystemName)),
			varint(3, w.text(f.Filename)), varint(4, uint64(f.StartLine))))
	}
	for _, m := range p.Mapping {
		w.mappings = append(w.mappings, join(varint(1, m.Start), varint(2, m.Limit), varint(3, m.Offset),
			varint(4, w.text(m.File))))
	}
	for _, l := range p.Location {
		parts := [][]byte{varint(2, l.Address)}
		if l.Mapping != nil {
			parts = append(parts, varint(1, l.Mapping.ID))
		}
		for _, line := range l.Line {
			parts = append(parts, message(3, join(varint(1, line.Function.ID), varint(2, uint64(line.Line)))))
		}
		w.locations = append(w.locations, join(parts...))
	}
	var profiles [][]byte
	for i, t := range p.SampleType {
		profiles = append(profiles, message(2, w.profile(p, i, t, i == 0)))
	}
	var attributes [][]byte
	for _, name := range slices.Sorted(maps.Keys(resource)) {
		attributes = append(attributes, message(1,
			join(message(1, []byte(name)), message(2, message(1, []byte(resource[name]))))))
	}
	of := join(message(1, join(attributes...)), message(2, join(profiles...)))
	return join(message(1, of), message(2, w.dictionary()))
}

type otlpWriter struct {
	strings                                            map[string]uint64
	texts                                              []string
	functions, mappings, locations, stacks, attributes [][]byte
}

func (w *otlpWriter) text(s string) uint64 {
	if i, known := w.strings[s]; known {
		return i
	}
	i := uint64(len(w.texts))
	w.strings[s], w.texts = i, append(w.texts, s)
	return i
}

// profile is one of the sample types. add says that stacks and attributes are not in the dictionary yet.
func (w *otlpWriter) profile(p *profile.Profile, column int, t *profile.ValueType, add bool) []byte {
	parts := [][]byte{
		message(1, w.valueType(t)), fixed(3, uint64(p.TimeNanos)), varint(4, uint64(p.DurationNanos)),
		varint(6, uint64(p.Period)),
	}
	if p.PeriodType != nil {
		parts = append(parts, message(5, w.valueType(p.PeriodType)))
	}
	attribute := 0
	for i, s := range p.Sample {
		sample := [][]byte{varint(1, uint64(i+1)), message(4, binary.AppendUvarint(nil, uint64(s.Value[column])))}
		var stack, labels []byte
		for _, l := range s.Location {
			stack = binary.AppendUvarint(stack, l.ID)
		}
		for _, name := range slices.Sorted(maps.Keys(s.Label)) {
			attribute++
			labels = binary.AppendUvarint(labels, uint64(attribute))
			if add {
				w.attributes = append(w.attributes,
					join(varint(1, w.text(name)), message(2, message(1, []byte(s.Label[name][0])))))
			}
		}
		if add {
			w.stacks = append(w.stacks, message(1, stack))
		}
		parts = append(parts, message(2, join(append(sample, message(2, labels))...)))
	}
	return join(parts...)
}

func (w *otlpWriter) valueType(t *profile.ValueType) []byte {
	return join(varint(1, w.text(t.Type)), varint(2, w.text(t.Unit)))
}

func (w *otlpWriter) dictionary() []byte {
	var b []byte
	for i, table := range [][][]byte{w.mappings, w.locations, w.functions, {nil}, nil, w.attributes, w.stacks} {
		for _, one := range table {
			b = append(b, message(uint64(i+1), one)...)
		}
	}
	for _, s := range w.texts {
		b = append(b, message(5, []byte(s))...)
	}
	return b
}

func join(parts ...[]byte) []byte { return slices.Concat(parts...) }

func fixed(number, value uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(nil, number<<3|1), value)
}
