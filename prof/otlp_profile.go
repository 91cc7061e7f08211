package prof

import (
	"fmt"

	"github.com/google/pprof/profile"
)

// otlpType is what profiles have in common whose samples can be added up.
type otlpType struct {
	sample, period profile.ValueType
	every          int64
}

// mostOTLPTypes bounds the sample types of one file; Go programs have 12.
const mostOTLPTypes = 64

// otlpParts are the profiles of a message by their types.
type otlpParts struct {
	*otlp
	of    map[otlpType]*profile.Profile
	order []*profile.Profile
}

// readResource reads the profiles of one resource, such as a process or a container.
func (o *otlpParts) readResource(message []byte) error {
	var labels []otlpAttribute
	var scopes [][]byte
	if err := walk(message, func(f field) (err error) {
		switch {
		case f.number == 1 && f.packed:
			labels, err = o.resourceLabels(f.bytes)
		case f.number == 2 && f.packed:
			scopes = append(scopes, f.bytes)
		}
		return err
	}); err != nil {
		return fmt.Errorf("resource: %w", err)
	}
	for _, s := range scopes {
		if err := walk(s, func(f field) error {
			if f.number != 2 || !f.packed {
				return nil
			}
			return o.readProfile(f.bytes, labels)
		}); err != nil {
			return fmt.Errorf("profile: %w", err)
		}
	}
	return nil
}

func (o *otlpParts) resourceLabels(message []byte) (labels []otlpAttribute, err error) {
	err = walk(message, func(f field) error {
		if f.number != 1 || !f.packed {
			return nil
		}
		var a otlpAttribute
		if err := walk(f.bytes, func(f field) (err error) {
			switch {
			case f.number == 1 && f.packed:
				a.key = string(f.bytes)
			case f.number == 2 && f.packed:
				a.value, err = o.anyValue(f.bytes)
			case f.number == 3:
				a.key, err = at(o.strings, f.value)
			}
			return err
		}); err != nil {
			return err
		}
		labels = append(labels, a)
		return o.take(1)
	})
	return labels, err
}

// readProfile adds the samples of one profile to those of its types.
func (o *otlpParts) readProfile(message []byte, labels []otlpAttribute) error {
	var t otlpType
	var samples [][]byte
	var began, lasted int64
	if err := walk(message, func(f field) (err error) {
		switch {
		case f.number == 1 && f.packed:
			t.sample, err = o.valueType(f.bytes)
		case f.number == 2 && f.packed:
			samples = append(samples, f.bytes)
		case f.number == 3:
			began = int64(f.value)
		case f.number == 4:
			lasted = int64(f.value)
		case f.number == 5 && f.packed:
			t.period, err = o.valueType(f.bytes)
		case f.number == 6:
			t.every = int64(f.value)
		}
		if err == nil {
			err = o.take(1)
		}
		return err
	}); err != nil {
		return err
	}
	p, err := o.typed(t)
	if err != nil {
		return err
	}
	if p.TimeNanos == 0 || began < p.TimeNanos {
		p.TimeNanos = began
	}
	p.DurationNanos = max(p.DurationNanos, lasted)
	for _, s := range samples {
		if err := o.readSample(p, s, labels); err != nil {
			return fmt.Errorf("sample: %w", err)
		}
	}
	return nil
}

// typed is the profile to which samples of a type belong.
func (o *otlpParts) typed(t otlpType) (*profile.Profile, error) {
	if p := o.of[t]; p != nil {
		return p, nil
	}
	if len(o.of) == mostOTLPTypes {
		return nil, fmt.Errorf("%w: more than %d sample types", ErrLimit, mostOTLPTypes)
	}
	p := &profile.Profile{SampleType: []*profile.ValueType{&t.sample}, PeriodType: &t.period, Period: t.every}
	p.Function, p.Mapping, p.Location = rest(o.functions), rest(o.mappings), rest(o.locations)
	o.of[t], o.order = p, append(o.order, p)
	return p, nil
}

// rest is a table without its first element, which is none.
func rest[T any](table []T) []T {
	return table[min(1, len(table)):]
}

func (o *otlp) valueType(message []byte) (t profile.ValueType, err error) {
	err = walk(message, func(f field) (err error) {
		switch f.number {
		case 1:
			t.Type, err = at(o.strings, f.value)
		case 2:
			t.Unit, err = at(o.strings, f.value)
		}
		return err
	})
	return t, err
}

// readSample adds up the values of a sample; without values each time stamp counts as one.
func (o *otlpParts) readSample(p *profile.Profile, message []byte, labels []otlpAttribute) error {
	s := &profile.Sample{Label: map[string][]string{}}
	var sum, events int64
	valued := false
	for _, l := range labels {
		s.Label[l.key] = []string{l.value}
	}
	if err := o.take(len(labels)); err != nil {
		return err
	}
	err := walk(message, func(f field) (err error) {
		switch f.number {
		case 1:
			s.Location, err = at(o.stacks, f.value)
		case 2:
			err = numbersOf(f, func(i uint64) error {
				a, err := at(o.attributes, i)
				if err == nil && i > 0 {
					s.Label[a.key] = []string{a.value}
				}
				if err == nil {
					err = o.take(1)
				}
				return err
			})
		case 4:
			valued = true
			err = numbersOf(f, func(v uint64) error { sum += int64(v); return nil })
		case 5:
			events += max(1, int64(len(f.bytes)/8))
		}
		return err
	})
	if !valued {
		sum = events
	}
	s.Value = []int64{sum}
	p.Sample = append(p.Sample, s)
	return err
}
