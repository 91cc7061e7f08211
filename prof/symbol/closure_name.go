package symbol

import "strings"

// ClosureName is what the name says that the compiler gives to a closure: a function literal, the call of a go or
// defer statement, or the body of a loop over a function.
//
//	main.serve.func2.1                  home main.serve, path 2.1
//	main.(*T).M.deferwrap1              home main.(*T).M, path w1
//	main.serve.func1-range2             home main.serve, path 1.r2
//	main.glob..func3 (until Go 1.20)    home main.init, path 3
//	main.main.routes.func7              home main.routes, path 7, inlined: the number is among those of main
type ClosureName struct {
	// Home is the function that has the closure in its source, with the package of the name.
	Home string
	// Path is the number of each closure from home to this one, the outermost first.
	Path string
	// Kind is the mark of the last of them, depth how many there are.
	Kind  byte
	Depth int
	// Inlined says that home was inlined into another function. The package of the name is that of the other function
	// then.
	Inlined bool
}

// The kinds of closures: function literals, calls of go and defer statements, bodies of loops over functions.
const (
	kindLiteral = 'f'
	kindCall    = 'w'
	kindRange   = 'r'
)

// ClosureOf reads the name of a closure; ok is false for all other functions.
func ClosureOf(function string) (c ClosureName, ok bool) {
	if !strings.ContainsAny(function, "0123456789") {
		return c, false
	}
	function, _, _ = strings.Cut(function, " (") // its line, where names are taken
	start := NameStart(function)
	segments := SplitName(function[start:])
	if segments[0] == "glob" && len(segments) > 1 {
		segments[0] = "init"
	}
	named := 0 // functions so far, without the last
	var home, path []string
	for _, segment := range segments {
		segment, ranges := cutRange(segment)
		switch kind, number := closureMark(segment); {
		case segment == "":
		case len(home) == 0, strings.HasPrefix(home[len(home)-1], "("), kind == 0:
			if len(home) > 0 && !strings.HasPrefix(home[len(home)-1], "(") {
				named++
				home, path = nil, nil
			}
			plain, _, _ := strings.Cut(segment, "[") // without type arguments
			home = append(home, plain)
		case len(path) == 0 && number == segment && home[len(home)-1] == "init":
			home = append(home, number) // one of several init functions
		default:
			path, c.Kind = append(path, strings.TrimPrefix(string(kind), "f")+number), kind
		}
		for _, number := range ranges {
			path, c.Kind = append(path, "r"+number), kindRange
		}
	}
	c.Home, c.Path, c.Depth = function[:start]+strings.Join(home, "."), strings.Join(path, "."), len(path)
	c.Inlined = named > 0
	return c, len(home) > 0 && len(path) > 0
}

// NameStart is where a function's name begins behind its package's path and dot.
func NameStart(function string) int {
	plain, _, _ := strings.Cut(function, "[") // type arguments contain paths
	slash := strings.LastIndexByte(plain, '/') + 1
	if dot := strings.IndexByte(plain[slash:], '.'); dot >= 0 {
		return slash + dot + 1
	}
	return len(function)
}

// SplitName splits a name at its dots, but not at those in type arguments and receivers.
func SplitName(name string) []string {
	var segments []string
	depth, start := 0, 0
	for i := range len(name) {
		switch name[i] {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		case '.':
			if depth == 0 {
				segments = append(segments, name[start:i])
				start = i + 1
			}
		}
	}
	return append(segments, name[start:])
}

// cutRange takes off the marks of bodies of loops over functions, and returns their numbers: f-range1.
func cutRange(segment string) (rest string, numbers []string) {
	for {
		at := strings.LastIndex(segment, "-range")
		if at < 0 || !isNumber(segment[at+len("-range"):]) {
			return segment, numbers
		}
		numbers = append([]string{segment[at+len("-range"):]}, numbers...)
		segment = segment[:at]
	}
}

// closureMark reads the part of a name that stands for a closure; kind is 0 for all other parts.
func closureMark(segment string) (kind byte, number string) {
	for _, mark := range []struct {
		word string
		kind byte
	}{{"func", kindLiteral}, {"gowrap", kindCall}, {"deferwrap", kindCall}, {"", kindLiteral}} {
		if number, ok := strings.CutPrefix(segment, mark.word); ok && isNumber(number) {
			return mark.kind, number
		}
	}
	return 0, ""
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// IsStub says whether a function is what cgo generates between Go and C.
func IsStub(f Frame) bool {
	return CFunction(f.Function) != "" || strings.HasSuffix(f.File, "_cgo_gotypes.go")
}

// CFunction names the C function that a generated one calls, as Go code writes it: C.free.
// Empty for all others.
func CFunction(function string) string {
	if !strings.Contains(function, "func_") {
		return ""
	}
	_, name, _ := strings.Cut(Short(function), ".")
	for _, prefix := range []string{"_Cfunc_", "_C2func_"} {
		if c, ok := strings.CutPrefix(name, prefix); ok && c != "" {
			return "C." + c
		}
	}
	return ""
}
