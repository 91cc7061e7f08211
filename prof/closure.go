package prof

import "strings"

// canonical returns a function's name without the numbers that the compiler gives to
// closures. An edit that adds one closure renumbers those after it, and releases of Go
// name them differently, so all closures of a function are one function to a diff:
//
//	main.serve.func2.1, main.serve.gowrap1, main.serve-range1   main.serve.func*
//	main.glob..func3 (until Go 1.20), main.init.func3           main.init.func*
//	main.init.0                                                 main.init
func canonical(function string) string {
	if !strings.ContainsAny(function, "0123456789") {
		return function
	}
	start := nameStart(function)
	segments := splitName(function[start:])
	first, ranges := cutRange(segments[0])
	if first == "" || len(segments) < 2 && !ranges {
		return function
	}
	kept := []string{first}
	switch {
	case ranges:
		kept = append(kept, "func*")
	case first == "glob": // glob..func3
		kept[0] = "init"
	}
	for _, s := range segments[1:] {
		s, ranges := cutRange(s)
		if s != "" && !isClosure(s) {
			kept = append(kept, s)
		}
		closure := ranges || isClosure(s) && !(isNumber(s) && kept[len(kept)-1] == "init")
		if closure && kept[len(kept)-1] != "func*" {
			kept = append(kept, "func*")
		}
	}
	return function[:start] + strings.Join(kept, ".")
}

// nameStart is where a function's name begins behind its package's path and dot.
func nameStart(function string) int {
	plain, _, _ := strings.Cut(function, "[") // type arguments contain paths
	slash := strings.LastIndexByte(plain, '/') + 1
	if dot := strings.IndexByte(plain[slash:], '.'); dot >= 0 {
		return slash + dot + 1
	}
	return len(function)
}

// splitName splits a name at its dots, but not at those in type arguments and receivers.
func splitName(name string) []string {
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

// cutRange takes off the mark of the body of a loop over a function: f-range1.
func cutRange(segment string) (rest string, found bool) {
	for {
		at := strings.LastIndex(segment, "-range")
		if at < 0 || !isNumber(segment[at+len("-range"):]) {
			return segment, found
		}
		segment, found = segment[:at], true
	}
}

func isClosure(segment string) bool {
	for _, word := range []string{"func", "gowrap", "deferwrap", ""} {
		if number, ok := strings.CutPrefix(segment, word); ok && isNumber(number) {
			return true
		}
	}
	return false
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// isStub says whether a function is what cgo generates between Go and C.
func isStub(f frame) bool {
	return cFunction(f.function) != "" || strings.HasSuffix(f.file, "_cgo_gotypes.go")
}

// cFunction names the C function that a generated one calls, as Go code writes it: C.free.
// Empty for all others.
func cFunction(function string) string {
	if !strings.Contains(function, "func_") {
		return ""
	}
	_, name, _ := strings.Cut(shortFunction(function), ".")
	for _, prefix := range []string{"_Cfunc_", "_C2func_"} {
		if c, ok := strings.CutPrefix(name, prefix); ok && c != "" {
			return "C." + c
		}
	}
	return ""
}
