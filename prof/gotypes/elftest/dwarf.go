package elftest

import "encoding/binary"

// Descriptions are descriptions of types, as DWARF 4 has them. Each has its number, by which others refer to it.
type Descriptions struct {
	b    []byte
	refs []struct{ at, number int }
	at   map[int]int
}

// unitHeader is the length of the header of a unit.
const unitHeader = 11

func (d *Descriptions) begin(number int, code byte, name string) {
	if d.at == nil {
		d.at = map[int]int{}
		d.b = append(append([]byte{1}, "main"...), 0)
	}
	d.at[number] = unitHeader + len(d.b)
	d.b = append(append(append(d.b, code), name...), 0)
}

func (d *Descriptions) refer(number int) {
	d.refs = append(d.refs, struct{ at, number int }{len(d.b), number})
	d.b = append(d.b, 0, 0, 0, 0)
}

// Struct describes a struct of 8 bytes whose fields, all at its begin, have these types. The first one is at
// RuntimeType.
func (d *Descriptions) Struct(number int, name string, fields ...int) *Descriptions {
	d.begin(number, 3, name)
	d.b = append(d.b, 8, 25)
	d.b = binary.LittleEndian.AppendUint64(d.b, uint64(RuntimeType-Types+16*(number-1)))
	for _, f := range fields {
		d.b = append(d.b, 4, 'x', 0, 0)
		d.refer(f)
	}
	d.b = append(d.b, 0)
	return d
}

// Array describes an array of one element.
func (d *Descriptions) Array(number int, name string, elem int) *Descriptions {
	d.begin(number, 5, name)
	d.b = append(d.b, 8, 17)
	d.refer(elem)
	return d
}

// Pointer describes a pointer.
func (d *Descriptions) Pointer(number int, name string, elem int) *Descriptions {
	d.begin(number, 6, name)
	d.b = append(d.b, 22)
	d.refer(elem)
	return d
}

// Sections are those of the descriptions, and of the variable main.g of a type.
func (d *Descriptions) Sections(variable int) []Section {
	d.begin(0, 2, "main.g")
	d.b = append(d.b, 9, 3)
	d.b = binary.LittleEndian.AppendUint64(d.b, Data)
	d.refer(variable)
	body := append(d.b, 0)
	for _, r := range d.refs {
		binary.LittleEndian.PutUint32(body[r.at:], uint32(d.at[r.number]))
	}
	info := binary.LittleEndian.AppendUint32(nil, uint32(len(body)+7))
	info = append(info, 4, 0, 0, 0, 0, 0, 8)
	return []Section{
		{Name: ".debug_abbrev", Type: 1, Data: abbreviations()},
		{Name: ".debug_info", Type: 1, Data: append(info, body...)},
	}
}

// abbreviations are those of a unit, a variable, a struct, a field, an array and a pointer. Attributes over 0x2900 are
// Go's.
func abbreviations() (b []byte) {
	for _, a := range [][]uint64{
		{1, 0x11, 1, 0x03, 0x08},
		{2, 0x34, 0, 0x03, 0x08, 0x02, 0x18, 0x49, 0x13},
		{3, 0x13, 1, 0x03, 0x08, 0x0b, 0x0f, 0x2900, 0x0b, 0x2904, 0x01},
		{4, 0x0d, 0, 0x03, 0x08, 0x38, 0x0f, 0x49, 0x13},
		{5, 0x01, 0, 0x03, 0x08, 0x0b, 0x0f, 0x2900, 0x0b, 0x49, 0x13},
		{6, 0x0f, 0, 0x03, 0x08, 0x2900, 0x0b, 0x49, 0x13},
	} {
		for _, v := range append(a, 0, 0) {
			b = binary.AppendUvarint(b, v)
		}
	}
	return append(b, 0)
}
