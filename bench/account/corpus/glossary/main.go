// Command glossary has its dictionary in the program itself, and reads all of it at its start.
//
// planted: binary, 49 MB
package main

import (
	"resident/stay"
)

// A dictionary that go:embed includes is a constant string, too.
const (
	entry = "abbey: where monks live; abbot: who leads them; able: who can; about: not exactly; above: higher; "
	page  = entry + entry + entry + entry + entry + entry + entry + entry + entry + entry
	part  = page + page + page + page + page + page + page + page + page + page
	one   = part + part + part + part + part + part + part + part + part + part
	book  = one + one + one + one + one + one + one + one + one + one
	shelf = book + book + book + book + book
	all   = shelf + shelf + shelf + shelf + shelf + shelf + shelf + shelf + shelf + shelf
)

var entries = map[byte]int{}

func main() {
	stay.Program{Plant: func() {
		dictionary := all
		for i := 0; i < len(dictionary); i += len(entry) {
			entries[dictionary[i]]++
		}
	}}.Main()
}
