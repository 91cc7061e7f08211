package reach

import (
	"strings"
)

// initialiser is the name of what fills the variables of a package before main, and of the literals of functions in it.
const initialiser = "init"

// declared is the name of the function in the source that a compiled one belongs to: itself, or the one that it is a
// literal, an instance or a wrapper of. has says which names there are. Not ok is what the compiler has made for itself.
func declared(symbol string, has func(name string) bool) (name string, ok bool) {
	words := strings.Split(strings.TrimSuffix(plain(symbol), "-fm"), ".")
	first := words[0]
	if first == "glob" || first == "map" {
		return initialiser, true
	}
	if len(words) > 1 {
		if method := first + "." + words[1]; has(method) { // also init.0
			return method, true
		}
	}
	if first == initialiser {
		return initialiser, true
	}
	return first, has(first)
}

// plain is the name of a symbol without the types of its instance, and without a pointer as the receiver:
// (*Cart[go.shape.int]).Total is Cart.Total.
func plain(symbol string) string {
	b := &strings.Builder{}
	depth := 0
	for _, c := range symbol {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case depth > 0, c == '(', c == ')', c == '*':
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// readable is a name of data as a reader knows it: cart.Rate, or cart.Cart for what describes a type.
func readable(name string) string {
	if i := strings.IndexByte(name, ','); i >= 0 && strings.HasPrefix(name, "go:itab.") {
		name = name[:i] // the type, not the interface
	}
	for _, prefix := range []string{"type:.eq.", "type:.hash.", "type:.eqfunc.", "type:", "go:itab."} {
		name = strings.TrimPrefix(name, prefix)
	}
	name = strings.TrimLeft(strings.TrimSuffix(name, "·f"), "*")
	return name[strings.LastIndexByte(name, '/')+1:]
}
