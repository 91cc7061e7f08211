package havlak

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
)

// None stands in a Forest where there is no loop.
const None = -1

// Loop is a loop of a graph.
type Loop struct {
	// Header is the node at which it is entered first.
	Header int32
	// Parent is the loop right around it, as an index into Forest.Loops, or None.
	Parent int32
	// Irreducible says that it is entered elsewhere, too.
	Irreducible bool
}

// Forest is all loops of a graph and how they nest, in one form for all stages.
type Forest struct {
	// Loops are in order of their headers.
	Loops []Loop
	// Inner is, for each node, the innermost loop that the node is in, as an index into
	// Loops, or None. A header is in its own loop.
	Inner []int32
}

// found is a loop as a stage found it.
type found struct {
	parent      int32 // header of the loop right around it, or None
	irreducible bool
}

// newForest gives loops their common form. innermost is the header of the innermost loop
// that a node is in, its own one for a header, or None. details is asked for headers only.
func newForest(nodes int, innermost func(node int32) int32, details func(header int32) found) Forest {
	index := make([]int32, nodes) // of the loop with that header
	loops := 0
	for v := range int32(nodes) {
		if innermost(v) == v {
			index[v] = int32(loops)
			loops++
		}
	}
	f := Forest{Loops: make([]Loop, 0, loops), Inner: make([]int32, nodes)}
	at := func(header int32) int32 {
		if header == None {
			return None
		}
		return index[header]
	}
	for v := range int32(nodes) {
		h := innermost(v)
		f.Inner[v] = at(h)
		if h == v {
			d := details(v)
			f.Loops = append(f.Loops, Loop{Header: v, Parent: at(d.parent), Irreducible: d.irreducible})
		}
	}
	return f
}

// Digest is a hash (FNV-1a of 64 bits) of the whole forest, the same for every stage and
// for the programs in C++. It takes four numbers for each node: the header of its
// innermost loop, or None; and for a header 1, the header of the loop right around its own,
// or None, and 1 if its loop is irreducible. What does not apply is 0. Each number is taken
// as 4 bytes, the lowest first.
func (f Forest) Digest() uint64 {
	h := fnv.New64a()
	var numbers [16]byte
	for v, inner := range f.Inner {
		var isHeader, parent, irreducible int32
		if inner != None && int(f.Loops[inner].Header) == v {
			isHeader, parent, irreducible = 1, f.header(f.Loops[inner].Parent), flag(f.Loops[inner].Irreducible)
		}
		for i, n := range [4]int32{f.header(inner), isHeader, parent, irreducible} {
			binary.LittleEndian.PutUint32(numbers[4*i:], uint32(n))
		}
		h.Write(numbers[:])
	}
	return h.Sum64()
}

// Summary is what the programs print: the number of loops, the artificial root around all
// of them counted as published, and the digest.
func (f Forest) Summary() string {
	return fmt.Sprintf("loops %d (with the artificial root)\ndigest %016x\n", len(f.Loops)+1, f.Digest())
}

// header is the header of a loop given by index, or None.
func (f Forest) header(loop int32) int32 {
	if loop == None {
		return None
	}
	return f.Loops[loop].Header
}

func flag(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// WriteTo writes a line for each loop, in order of the headers: its header, the header of
// the loop right around it or -, what kind it is, and the nodes that are in no loop inside
// it, the header first.
func (f Forest) WriteTo(w io.Writer) (int64, error) {
	members := make([][]int32, len(f.Loops))
	for v, inner := range f.Inner {
		if inner != None && int(f.Loops[inner].Header) != v {
			members[inner] = append(members[inner], int32(v))
		}
	}
	out := bufio.NewWriter(w)
	var written int64
	for i, l := range f.Loops {
		parent, kind := "-", "reducible"
		if l.Parent != None {
			parent = strconv.Itoa(int(f.header(l.Parent)))
		}
		if l.Irreducible {
			kind = "irreducible"
		}
		n, _ := fmt.Fprintf(out, "loop %d in %s %s: %d", l.Header, parent, kind, l.Header) // an error stays and comes with Flush
		written += int64(n)
		for _, v := range members[i] {
			n, _ := fmt.Fprintf(out, " %d", v)
			written += int64(n)
		}
		out.WriteByte('\n')
		written++
	}
	return written, out.Flush()
}
