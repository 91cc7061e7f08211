package holders

import "encoding/binary"

// ref is a pointer in an object.
type ref struct {
	// offset is where it stands, in bytes.
	offset uint64
	// to is the number of what it points to; interior says that it does not point to the beginning of that.
	to       uint32
	interior bool
	// nextZero says that the word after it is 0: of a slice the length.
	nextZero bool
}

// refs are the pointers of all objects in the order of their numbers: a few bytes each.
type refs struct {
	first  []uint32 // where those of each object begin
	stream []byte
	ptr    uint64
	last   ref // of the object that is written
}

// mostStream is how long the stream may be: places in it have 32 bits.
const mostStream = 1<<32 - 64

// begin writes from now on what belongs to an object; those before it that have not come have none. ok is false if the
// object has been there, or the stream is full.
func (r *refs) begin(number uint32) (ok bool) {
	if uint64(number) < uint64(len(r.first)) || len(r.stream) > mostStream {
		return false
	}
	for uint64(len(r.first)) <= uint64(number) {
		r.first = append(r.first, uint32(len(r.stream)))
	}
	r.last = ref{to: number}
	return true
}

// add writes a pointer.
func (r *refs) add(p ref) {
	flags := uint64(0)
	if p.interior {
		flags |= 1
	}
	if p.nextZero {
		flags |= 2
	}
	r.stream = binary.AppendUvarint(r.stream, zigzag(int64(p.offset/r.ptr)-int64(r.last.offset/r.ptr))<<2|flags)
	r.stream = binary.AppendUvarint(r.stream, zigzag(int64(p.to)-int64(r.last.to)))
	r.last = p
}

// firstOf is the first pointer of an object; ok is false if it has none.
func (r *refs) firstOf(number uint32) (first ref, ok bool) {
	if !r.hasRefs(number) {
		return first, false
	}
	at := r.stream[r.first[number]:]
	head, n := binary.Uvarint(at)
	to, _ := binary.Uvarint(at[n:])
	return ref{offset: uint64(unzigzag(head>>2)) * r.ptr, to: uint32(int64(number) + unzigzag(to)),
		interior: head&1 != 0, nextZero: head&2 != 0}, true
}

// each calls do for the pointers of an object.
func (r *refs) each(number uint32, do func(ref)) {
	if int(number) >= len(r.first) {
		return
	}
	at, end := r.first[number], uint32(len(r.stream))
	if int(number)+1 < len(r.first) {
		end = r.first[number+1]
	}
	word, to := int64(0), int64(number)
	for at < end {
		head, n := binary.Uvarint(r.stream[at:end])
		step, m := binary.Uvarint(r.stream[at+uint32(n) : end])
		at += uint32(n + m)
		word += unzigzag(head >> 2)
		to += unzigzag(step)
		do(ref{offset: uint64(word) * r.ptr, to: uint32(to), interior: head&1 != 0, nextZero: head&2 != 0})
	}
}

func zigzag(v int64) uint64   { return uint64(v)<<1 ^ uint64(v>>63) }
func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// hasRefs says whether an object has pointers to others.
func (r *refs) hasRefs(number uint32) bool {
	if int(number)+1 < len(r.first) {
		return r.first[number] < r.first[number+1]
	}
	return int(number) < len(r.first) && int(r.first[number]) < len(r.stream)
}
