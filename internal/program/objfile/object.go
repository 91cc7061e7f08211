package objfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Object is a Go object file. Its symbols have numbers: first those that it defines, then those that it refers to by
// name.
type Object struct {
	data   []byte
	blocks [blocks + 1]uint32 // where each begins
	counts [kinds]int         // of symbols, by kind
	// Imports are the paths of the packages that the linker loads for it, in their order.
	Imports []string
	// Packages are the paths of the packages that it refers to by number, from 1 on.
	Packages []string
}

// magic begins an object file: the format since Go 1.20.
const magic = "\x00go120ld"

// The blocks of an object file, in their order.
const (
	blockImports = iota
	blockPackages
	blockFiles
	blockSymbols
	blockHashed64
	blockHashed
	blockNamed
	blockNamedRefs
	blockRefFlags
	blockHash64
	blockHash
	blockRelocIndex
	blockAuxIndex
	blockDataIndex
	blockRelocs
	blockAux
	blockData
	blockRefNames
	blocks // how many there are
)

// Kinds of symbols, by the block that they stand in, in the order of their numbers.
const (
	// kindOwn are symbols of the package, which others refer to by number.
	kindOwn = iota
	// kindHashed64 and kindHashed are known by their content.
	kindHashed64
	kindHashed
	// kindNamed are known by their name.
	kindNamed
	// kindNamedRef are defined somewhere else.
	kindNamedRef
	kinds
)

// Sizes of what the blocks hold, in bytes.
const (
	headerSize  = len(magic) + 8 + 4 + 4*(blocks+1)
	stringSize  = 8
	importSize  = stringSize + 8 // and a fingerprint
	symbolSize  = stringSize + 2 + 1 + 1 + 1 + 4 + 4
	refSize     = 8
	relocSize   = 4 + 1 + 2 + 8 + refSize
	auxSize     = 1 + refSize
	refFlagSize = refSize + 2
)

var little = binary.LittleEndian

// readObject reads an object file, and checks all that the methods of Object rely on.
func readObject(data []byte) (*Object, error) {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return nil, fmt.Errorf("its format is not %q", magic[1:])
	}
	if len(data) < headerSize {
		return nil, errors.New("it ends in its header")
	}
	o := &Object{data: data}
	for i, at := 0, len(magic)+8+4; i <= blocks; i++ {
		// The last offset is where the object ends: goobj.BlkEnd.
		o.blocks[i] = little.Uint32(data[at+4*i:])
		if int64(o.blocks[i]) > int64(len(data)) || i > 0 && o.blocks[i] < o.blocks[i-1] {
			return nil, errors.New("its blocks are not in their order")
		}
	}
	for kind := range kinds {
		n, err := o.count(blockSymbols+kind, symbolSize)
		if err != nil {
			return nil, err
		}
		o.counts[kind] = n
	}
	var errImports, errPackages error
	o.Imports, errImports = o.texts(blockImports, importSize)
	o.Packages, errPackages = o.texts(blockPackages, stringSize)
	return o, errors.Join(errImports, errPackages, o.checkSymbols(), o.checkIndexes(), o.checkRest())
}

// block is the bytes of a block.
func (o *Object) block(b int) []byte { return o.data[o.blocks[b]:o.blocks[b+1]] }

// count is how many elements of a size a block has.
func (o *Object) count(b, size int) (int, error) {
	n := len(o.block(b))
	if n%size != 0 {
		return 0, fmt.Errorf("block %d has %d bytes, which are no elements of %d", b, n, size)
	}
	return n / size, nil
}

// text is the string that a reference of length and offset names.
func (o *Object) text(ref []byte) ([]byte, bool) {
	length, from := uint64(little.Uint32(ref)), uint64(little.Uint32(ref[4:]))
	if from+length > uint64(len(o.data)) {
		return nil, false
	}
	return o.data[from : from+length], true
}

// texts are the strings that the elements of a block begin with.
func (o *Object) texts(block, size int) (all []string, err error) {
	n, err := o.count(block, size)
	if err != nil {
		return nil, err
	}
	for i := range n {
		path, ok := o.text(o.block(block)[i*size:])
		if !ok {
			return nil, fmt.Errorf("element %d of block %d has no text", i, block)
		}
		all = append(all, string(path))
	}
	return all, nil
}

func (o *Object) checkSymbols() error {
	all := o.data[o.blocks[blockSymbols]:o.blocks[blockRefFlags]]
	for i := 0; i < len(all); i += symbolSize {
		if _, ok := o.text(all[i:]); !ok {
			return fmt.Errorf("symbol %d has no name", i/symbolSize)
		}
	}
	return nil
}

// checkIndexes checks that relocations, auxiliary symbols and data of each symbol lie in their blocks.
func (o *Object) checkIndexes() error {
	for _, x := range []struct{ index, block, size int }{
		{blockRelocIndex, blockRelocs, relocSize}, {blockAuxIndex, blockAux, auxSize}, {blockDataIndex, blockData, 1},
	} {
		n, err := o.count(x.block, x.size)
		if err != nil {
			return err
		}
		index := o.block(x.index)
		if len(index) != 4*(o.Defined()+1) {
			return fmt.Errorf("index %d is for other symbols", x.index)
		}
		last := uint32(0)
		for i := 0; i < len(index); i += 4 {
			next := little.Uint32(index[i:])
			if next < last || int64(next) > int64(n) {
				return fmt.Errorf("index %d is not in its order", x.index)
			}
			last = next
		}
	}
	return nil
}

func (o *Object) checkRest() error {
	_, err := o.count(blockRefFlags, refFlagSize)
	return err
}

// Defined is how many symbols it defines; their numbers begin at 0.
func (o *Object) Defined() int {
	return o.counts[kindOwn] + o.counts[kindHashed64] + o.counts[kindHashed] + o.counts[kindNamed]
}

// Symbols is how many symbols it has, with those that it refers to by name.
func (o *Object) Symbols() int { return o.Defined() + o.counts[kindNamedRef] }

// table is a block that has elements of one size for each symbol, and the block with the index of the first of each.
type table struct{ index, block, size int }

// part is the elements of a symbol in a table.
func (o *Object) part(symbol int, of table) []byte {
	at := o.block(of.index)[4*symbol:]
	return o.block(of.block)[int(little.Uint32(at))*of.size : int(little.Uint32(at[4:]))*of.size]
}
