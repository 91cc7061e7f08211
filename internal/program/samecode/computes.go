package samecode

import (
	"slices"
	"strings"
)

// Computes says that a function of Go's library only computes: it changes nothing but its result, its receiver and its
// arguments, and calls nothing that it was given. It may fill what the library keeps for itself, as its pools.
func Computes(f Symbol) bool {
	switch f.Package {
	case "errors":
		return f.Name == "New"
	case "regexp":
		return slices.Contains([]string{"Compile", "CompilePOSIX", "MustCompile", "MustCompilePOSIX", "QuoteMeta"}, f.Name)
	case "strings", "bytes":
		return !strings.Contains(f.Name, "Func") && !strings.Contains(f.Name, "Map") && !strings.Contains(f.Name, "Write") &&
			!strings.Contains(f.Name, "Read") && !strings.Contains(f.Name, "[")
	case "strconv", "unicode", "unicode/utf8", "unicode/utf16", "math", "math/bits", "math/big", "internal/bytealg",
		"internal/stringslite", "math/cmplx":
		return !strings.Contains(f.Name, "Format)") && !strings.Contains(f.Name, "Scan") && !strings.Contains(f.Name, "Rand")
	case "reflect": // its caches of types are its own; the rest of it calls, sends, receives or makes such functions
		return !strings.Contains(f.Name, "Call") && !strings.Contains(f.Name, "Func") && !strings.Contains(f.Name, "Send") &&
			!strings.Contains(f.Name, "Recv") && !strings.Contains(f.Name, "Select") && !strings.Contains(f.Name, "Seq")
	case "time":
		return slices.Contains([]string{"ParseDuration", "Unix", "UnixMilli", "Duration.String"}, f.Name)
	case "net":
		return slices.Contains([]string{"ParseCIDR", "ParseIP", "IPv4", "IPv4Mask", "CIDRMask", "ParseMAC"}, f.Name)
	case "net/netip":
		return strings.HasPrefix(f.Name, "MustParse") || strings.HasPrefix(f.Name, "Parse")
	case "net/url":
		return f.Name == "Parse" || f.Name == "QueryEscape" || f.Name == "PathEscape"
	case "sort":
		return f.Name == "Strings" || f.Name == "Ints" || f.Name == "Float64s"
	case "path", "path/filepath":
		return slices.Contains([]string{"Base", "Clean", "Dir", "Ext", "Join", "Split"}, f.Name)
	case "encoding/hex", "encoding/base64", "encoding/base32":
		return slices.Contains([]string{"DecodeString", "EncodeToString", "NewEncoding", "(*Encoding).DecodeString",
			"(*Encoding).EncodeToString", "Encoding.WithPadding"}, f.Name)
	case "internal/runtime/maps":
		return true
	case "runtime":
		return slices.ContainsFunc(ofCompiledCode, func(prefix string) bool { return strings.HasPrefix(f.Name, prefix) })
	}
	return f.Package == "" && strings.HasPrefix(f.Name, "type:.") // compares or hashes values
}

// ofCompiledCode begin the names of functions of the runtime that compiled code calls by itself: for memory, copies,
// maps, slices and texts (cmd/compile/internal/typecheck/_builtin/runtime.go), without those of channels, goroutines,
// deferred calls, and of what only reflection needs.
var ofCompiledCode = []string{"newobject", "mallocgc", "makeslice", "growslice", "moveSlice", "makemap", "mapaccess",
	"mapassign", "mapdelete", "mapclear", "mapIter", "concatstring", "concatbyte", "cmpstring", "intstring",
	"slicebytetostring", "slicerunetostring", "stringtoslice", "decoderune", "countrunes", "convT", "assertE2I",
	"typeAssert", "interfaceSwitch", "panic", "goPanic", "gopanic", "memmove", "memclr", "memequal", "memhash", "strhash",
	"strequal", "f32equal", "f64equal", "c64equal", "c128equal", "f32hash", "f64hash", "interequal", "nilinterequal",
	"interhash", "nilinterhash", "efaceeq", "ifaceeq", "typedmemmove", "typedmemclr", "typedslicecopy", "wbZero", "wbMove",
	"gcWriteBarrier", "duffzero", "duffcopy", "morestack", "complex128div", "rand", "racefunc", "raceread", "racewrite"}

// readBeforeMain are the variables of the library that such code reads, and never changes.
var readBeforeMain = map[Symbol]bool{{"runtime", "writeBarrier"}: true, {"runtime", "zeroVal"}: true,
	{"runtime", "zerobase"}: true, {"runtime", "staticuint64s"}: true, {"runtime", "x86HasPOPCNT"}: true,
	{"runtime", "x86HasSSE41"}: true, {"runtime", "x86HasFMA"}: true, {"runtime", "arm64HasATOMICS"}: true}
