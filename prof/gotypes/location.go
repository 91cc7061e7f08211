package gotypes

import (
	"debug/dwarf"
	"encoding/binary"
)

// unit is what location lists of a compilation unit refer to.
type unit struct {
	low       uint64 // the base of the addresses in a list of DWARF 4
	addresses int64  // where its addresses begin in .debug_addr, of DWARF 5
}

func (p *Program) unitAt(at dwarf.Offset) (u unit) {
	if e := p.entryAt(at); e != nil {
		u.low, _ = e.Val(dwarf.AttrLowpc).(uint64)
		u.addresses, _ = e.Val(dwarf.AttrAddrBase).(int64)
	}
	return u
}

// location is the expression that says where a variable is while the function is at pc; nil if it is nowhere.
func (p *Program) location(e *dwarf.Entry, u unit, pc uint64) []byte {
	f := e.AttrField(dwarf.AttrLocation)
	if f == nil {
		return nil
	}
	switch v := f.Val.(type) {
	case []byte:
		return v
	case int64:
		if lists := p.sections["debug_loclists"]; len(lists) > 0 {
			return p.inList5(lists, v, u, pc)
		}
		return p.inList4(p.sections["debug_loc"], v, u, pc)
	}
	return nil
}

// from is b from an offset on; nil outside.
func from(b []byte, off int64) []byte {
	if off < 0 || off > int64(len(b)) {
		return nil
	}
	return b[off:]
}

// cursor reads numbers; after the end it is bad, and all are 0.
type cursor struct {
	p   *Program
	b   []byte
	bad bool
}

func (c *cursor) take(n uint64) []byte {
	if c.bad || n > uint64(len(c.b)) {
		c.bad = true
		return nil
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

func (c *cursor) word() uint64 {
	if b := c.take(c.p.ptr); b != nil {
		return c.p.word(b)
	}
	return 0
}

func (c *cursor) short() uint64 {
	if b := c.take(2); b != nil {
		return uint64(c.p.order.Uint16(b))
	}
	return 0
}

func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.b)
	if n <= 0 {
		c.bad = true
		return 0
	}
	c.b = c.b[n:]
	return v
}

// varint reads a signed LEB128 number (DWARF 5, 7.6), which is not encoding/binary's Varint.
func (c *cursor) varint() (v int64) {
	for shift := uint(0); shift < 64; shift += 7 {
		b := c.take(1)
		if b == nil {
			return 0
		}
		v |= int64(b[0]&0x7f) << shift
		if b[0] < 0x80 {
			if shift += 7; b[0]&0x40 != 0 && shift < 64 {
				v |= -1 << shift
			}
			return v
		}
	}
	c.bad = true
	return 0
}

// inList4 finds pc in a list of .debug_loc (DWARF 4, 2.6.2).
func (p *Program) inList4(lists []byte, at int64, u unit, pc uint64) []byte {
	c := &cursor{p: p, b: from(lists, at)}
	base := u.low
	largest := ^uint64(0) >> (64 - 8*p.ptr)
	for !c.bad {
		low, high := c.word(), c.word()
		switch {
		case low == 0 && high == 0:
			return nil
		case low == largest:
			base = high
			continue
		}
		if expr := c.take(c.short()); pc >= base+low && pc < base+high {
			return expr
		}
	}
	return nil
}

// inList5 finds pc in a list of .debug_loclists (DWARF 5, 7.7.3).
func (p *Program) inList5(lists []byte, at int64, u unit, pc uint64) []byte {
	c := &cursor{p: p, b: from(lists, at)}
	base := u.low
	indexed := func() uint64 {
		i := c.uvarint()
		if i > uint64(len(p.sections["debug_addr"])) {
			return 0
		}
		in := &cursor{p: p, b: from(p.sections["debug_addr"], u.addresses+int64(i*p.ptr))}
		return in.word()
	}
	for !c.bad {
		var low, high uint64
		kind := c.take(1)
		if kind == nil {
			return nil
		}
		switch kind[0] {
		case 0: // DW_LLE_end_of_list
			return nil
		case 1: // DW_LLE_base_addressx
			base = indexed()
			continue
		case 2: // DW_LLE_startx_endx
			low, high = indexed(), indexed()
		case 3: // DW_LLE_startx_length
			low = indexed()
			high = low + c.uvarint()
		case 4: // DW_LLE_offset_pair
			low, high = base+c.uvarint(), base+c.uvarint()
		case 5: // DW_LLE_default_location
			low, high = 0, ^uint64(0)
		case 6: // DW_LLE_base_address
			base = c.word()
			continue
		case 7: // DW_LLE_start_end
			low, high = c.word(), c.word()
		case 8: // DW_LLE_start_length
			low = c.word()
			high = low + c.uvarint()
		default:
			return nil
		}
		if expr := c.take(c.uvarint()); pc >= low && pc < high {
			return expr
		}
	}
	return nil
}

// place is where a part of a variable is in a frame.
type place struct {
	frame        int64
	offset, size uint64
}

// places are the parts of a variable that an expression puts into the frame; those in registers are left out. Go's
// functions have the canonical frame address as their base.
func (p *Program) places(expr []byte, t *Type) (all []place) {
	if t == nil {
		return nil
	}
	c := &cursor{p: p, b: expr}
	var offset uint64 // of the part
	var frame int64
	inFrame := false
	for len(c.b) > 0 && !c.bad {
		switch op := c.take(1)[0]; {
		case op == 0x9c: // DW_OP_call_frame_cfa
			frame, inFrame = 0, true
		case op == 0x91: // DW_OP_fbreg
			frame, inFrame = c.varint(), true
		case op == 0x11: // DW_OP_consts, added to the address by DW_OP_plus
			frame += c.varint()
		case op == 0x22: // DW_OP_plus
		case op >= 0x50 && op <= 0x6f: // DW_OP_reg0 to 31
			inFrame = false
		case op == 0x90: // DW_OP_regx
			c.uvarint()
			inFrame = false
		case op == 0x93: // DW_OP_piece
			size := c.uvarint()
			if inFrame {
				all = append(all, place{frame, offset, size})
			}
			offset += size
			inFrame = false
		default:
			return all
		}
	}
	if inFrame && !c.bad {
		all = append(all, place{frame, offset, t.Size - min(offset, t.Size)})
	}
	return all
}
