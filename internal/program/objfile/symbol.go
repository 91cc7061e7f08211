package objfile

import "bytes"

// Symbol is what an object says of a symbol, beside its content.
type Symbol struct {
	// Name is not a text of its own: it is a part of the object.
	Name  []byte
	ABI   uint16
	Kind  uint8 // of objabi.SymKind, see Toolchain
	Flag  uint8
	Flag2 uint8
	Size  uint32
	Align uint32
}

// StaticABI is the ABI of a symbol whose name is known in its object only.
const StaticABI = ^uint16(0)

// Flags of symbols (goobj.SymFlag...).
const (
	// FlagReflectMethod: the function looks for methods by reflection.
	FlagReflectMethod = 1 << 5
	// FlagGoType: the symbol describes a type.
	FlagGoType = 1 << 6
	// Flag2UsedInIface: values of the type are put into interfaces.
	Flag2UsedInIface = 1 << 0
	// Flag2Itab: the symbol is the table of methods for a type and an interface.
	Flag2Itab = 1 << 1
)

// Symbol reads a symbol by its number, from 0 to Symbols.
func (o *Object) Symbol(i int) Symbol {
	b := o.data[int(o.blocks[blockSymbols])+i*symbolSize:]
	name, _ := o.text(b)
	return Symbol{name, little.Uint16(b[8:]), b[10], b[11], b[12], little.Uint32(b[13:]), little.Uint32(b[17:])}
}

// Own says that other objects refer to the symbol by its package and number.
func (o *Object) Own(i int) bool { return i < o.counts[kindOwn] }

// Hashed says that the symbol is known by its content, which never changes.
func (o *Object) Hashed(i int) bool {
	return i >= o.counts[kindOwn] && i < o.Defined()-o.counts[kindNamed]
}

// Named says that the symbol is known by its name.
func (o *Object) Named(i int) bool {
	return i >= o.Defined()-o.counts[kindNamed]
}

// Data is the content of a defined symbol; where it is shorter than the size, the rest is 0.
func (o *Object) Data(i int) []byte { return o.part(i, table{blockDataIndex, blockData, 1}) }

// Ref is a reference to a symbol of this object, or of another.
type Ref struct{ Package, Symbol uint32 }

// The numbers that stand for something else than a package (goobj.PkgIdx...).
const (
	refNamed uint32 = 1<<31 - 1 - iota
	refHashed64
	refHashed
	refBuiltin
	refOwn
)

// Target says what a reference leads to.
type Target struct {
	// Kind says which of the others are set.
	Kind TargetKind
	// Symbol is its number in this object, or in that of Package.
	Symbol int
	// Package is an index of Packages.
	Package int
}

// TargetKind is the kind of a target.
type TargetKind uint8

// The kinds of targets.
const (
	// Nothing is the target of a relocation that has none, as of a mark.
	Nothing TargetKind = iota
	// Here is a symbol of this object; one that is named may be defined by another one.
	Here
	// There is a symbol of the Go files of another package.
	There
	// Predefined is a symbol of the runtime. Symbol is its number among the Builtins of the toolchain.
	Predefined
	// Invalid is what no object file should have.
	Invalid
)

// Resolve says what a reference of this object leads to. Whether the symbol of another package is there is not known
// here.
func (o *Object) Resolve(r Ref) Target {
	if r == (Ref{}) {
		return Target{}
	}
	from, to := 0, 0
	switch r.Package {
	case refOwn:
		to = o.counts[kindOwn]
	case refHashed64:
		from = o.counts[kindOwn]
		to = from + o.counts[kindHashed64]
	case refHashed:
		from = o.counts[kindOwn] + o.counts[kindHashed64]
		to = from + o.counts[kindHashed]
	case refNamed:
		from, to = o.Defined()-o.counts[kindNamed], o.Symbols()
	case refBuiltin:
		return Target{Kind: Predefined, Symbol: int(r.Symbol)}
	default:
		// Number 0 of the list is the empty path: numbers of packages begin at 1.
		if r.Package == 0 || int64(r.Package) >= int64(len(o.Packages)) {
			return Target{Kind: Invalid}
		}
		return Target{Kind: There, Symbol: int(r.Symbol), Package: int(r.Package)}
	}
	if int64(r.Symbol) >= int64(to-from) {
		return Target{Kind: Invalid}
	}
	return Target{Kind: Here, Symbol: from + int(r.Symbol)}
}

// Reloc is a place in the content of a symbol that refers to another one, or a mark for the linker.
type Reloc struct {
	Offset int32
	Size   uint8
	Type   uint16 // of objabi.RelocType, see Toolchain
	Add    int64
	Ref    Ref
}

// Relocs are the relocations of a defined symbol.
func (o *Object) Relocs(i int) Relocs {
	return o.part(i, table{blockRelocIndex, blockRelocs, relocSize})
}

// Relocs is a list of relocations as it stands in the object.
type Relocs []byte

// Len is how many there are.
func (r Relocs) Len() int { return len(r) / relocSize }

// At reads one of them.
func (r Relocs) At(i int) Reloc {
	b := r[i*relocSize:]
	return Reloc{int32(little.Uint32(b)), b[4], little.Uint16(b[5:]), int64(little.Uint64(b[7:])), readRef(b[15:])}
}

func readRef(b []byte) Ref { return Ref{little.Uint32(b), little.Uint32(b[4:])} }

// Aux is a symbol that belongs to another one.
type Aux struct {
	Type AuxType
	Ref  Ref
}

// AuxType says what it is for (goobj.Aux...).
type AuxType uint8

// The types that hone knows.
const (
	AuxGoType AuxType = iota // of a variable
	AuxFuncInfo
	AuxFuncData
	AuxDwarfInfo
	AuxDwarfLoc
	AuxDwarfRanges
	AuxDwarfLines
	AuxPCSP
	AuxPCFile
	AuxPCLine
	AuxPCInline
	AuxPCData
)

// Aux are the auxiliary symbols of a defined symbol.
func (o *Object) Aux(i int) []Aux {
	b := o.part(i, table{blockAuxIndex, blockAux, auxSize})
	all := make([]Aux, 0, len(b)/auxSize)
	for ; len(b) > 0; b = b[auxSize:] {
		all = append(all, Aux{AuxType(b[0]), readRef(b[1:])})
	}
	return all
}

// RefFlags calls f with the flags that the object gives to symbols of others.
func (o *Object) RefFlags(f func(r Ref, flag, flag2 uint8)) {
	for b := o.block(blockRefFlags); len(b) > 0; b = b[refFlagSize:] {
		f(readRef(b), b[8], b[9])
	}
}

// SameContent says whether two defined symbols, each of an object, are alike, but for what they refer to.
func SameContent(a *Object, i int, b *Object, j int) bool {
	s, t := a.Symbol(i), b.Symbol(j)
	return s.Kind == t.Kind && s.Flag == t.Flag && s.Flag2 == t.Flag2 && s.Size == t.Size && s.Align == t.Align &&
		s.ABI == t.ABI &&
		bytes.Equal(a.Data(i), b.Data(j))
}
