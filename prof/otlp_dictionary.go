package prof

import (
	"errors"
	"fmt"

	"github.com/google/pprof/profile"
)

// readDictionary reads the tables in the order in which they refer to each other.
func (o *otlp) readDictionary(message []byte) error {
	tables := map[uint64][][]byte{}
	if err := walk(message, func(f field) error {
		if f.packed {
			tables[f.number] = append(tables[f.number], f.bytes)
		}
		return o.take(1)
	}); err != nil {
		return err
	}
	for _, s := range tables[5] {
		o.strings = append(o.strings, string(s))
	}
	for _, t := range []struct {
		name   string
		number uint64
		read   func([]byte) error
	}{
		{"attribute", 6, o.readAttribute}, {"mapping", 1, o.readMapping}, {"function", 3, o.readFunction},
		{"location", 2, o.readLocation}, {"stack", 7, o.readStack},
	} {
		for i, one := range tables[t.number] {
			if err := t.read(one); err != nil {
				return fmt.Errorf("%s %d: %w", t.name, i, err)
			}
		}
	}
	return nil
}

func (o *otlp) readAttribute(message []byte) error {
	var a otlpAttribute
	err := walk(message, func(f field) (err error) {
		switch f.number {
		case 1:
			a.key, err = at(o.strings, f.value)
		case 2:
			a.value, err = o.anyValue(f.bytes)
		}
		return err
	})
	o.attributes = append(o.attributes, a)
	return err
}

func (o *otlp) readMapping(message []byte) error {
	m := &profile.Mapping{ID: uint64(len(o.mappings))}
	err := walk(message, func(f field) (err error) {
		switch f.number {
		case 1:
			m.Start = f.value
		case 2:
			m.Limit = f.value
		case 3:
			m.Offset = f.value
		case 4:
			m.File, err = at(o.strings, f.value)
		}
		return err
	})
	o.mappings = append(o.mappings, m)
	return err
}

func (o *otlp) readFunction(message []byte) error {
	fn := &profile.Function{ID: uint64(len(o.functions))}
	err := walk(message, func(f field) (err error) {
		switch f.number {
		case 1:
			fn.Name, err = at(o.strings, f.value)
		case 2:
			fn.SystemName, err = at(o.strings, f.value)
		case 3:
			fn.Filename, err = at(o.strings, f.value)
		case 4:
			fn.StartLine = int64(f.value)
		}
		return err
	})
	o.functions = append(o.functions, fn)
	return err
}

func (o *otlp) readLocation(message []byte) error {
	l := &profile.Location{ID: uint64(len(o.locations))}
	err := walk(message, func(f field) (err error) {
		switch f.number {
		case 1:
			if l.Mapping, err = at(o.mappings, f.value); f.value == 0 {
				l.Mapping = nil
			}
		case 2:
			l.Address = f.value
		case 3:
			var line profile.Line
			line, err = o.readLine(f.bytes)
			l.Line = append(l.Line, line)
		}
		return err
	})
	o.locations = append(o.locations, l)
	return err
}

func (o *otlp) readLine(message []byte) (line profile.Line, err error) {
	if err := o.take(1); err != nil {
		return line, err
	}
	err = walk(message, func(f field) (err error) {
		switch f.number {
		case 1:
			line.Function, err = at(o.functions, f.value)
		case 2:
			line.Line = int64(f.value)
		case 3:
			line.Column = int64(f.value)
		}
		return err
	})
	if err == nil && (line.Function == nil || line.Function.ID == 0) {
		err = errors.New("a line without a function")
	}
	return line, err
}

func (o *otlp) readStack(message []byte) error {
	var stack []*profile.Location
	err := walk(message, func(f field) error {
		if f.number != 1 {
			return nil
		}
		return numbersOf(f, func(i uint64) error {
			l, err := at(o.locations, i)
			if err != nil || i == 0 {
				return err
			}
			stack = append(stack, l)
			return o.take(1)
		})
	})
	o.stacks = append(o.stacks, stack)
	return err
}
