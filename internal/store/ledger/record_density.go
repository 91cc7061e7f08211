package ledger

import "fmt"

// listed is about the least that one measure or artefact takes as JSON, listedSlice that of a slice, and frame what the
// rest of a record has of commas at the same depth, with room to spare.
const (
	listed      = 32
	listedSlice = 200
	frame       = 200
)

// checkDensity refuses JSON that lists, at a depth of brackets, more than its text can hold, of which each takes least
// bytes: "null," is five bytes, and the slice decoded from it about a thousand. It looks at no more than strings,
// brackets and commas; whether the text is JSON the decoder says.
func checkDensity(text []byte, at, least int) error {
	depth, commas, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ',' && depth == at: // between the elements of a list
			commas++
		}
	}
	if most := frame + len(text)/least; commas > most {
		return fmt.Errorf("it lists %d parts in %d bytes", commas, len(text))
	}
	return nil
}
