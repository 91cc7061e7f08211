package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// errDamaged: the bytes of a file are not those that were stored.
var errDamaged = errors.New("damaged")

// otherSchema: a file is whole, and of a schema that this program does not know.
type otherSchema struct{ theirs, ours string }

func (e *otherSchema) Error() string {
	return fmt.Sprintf("it has schema %s, and this hone knows %s", e.theirs, e.ours)
}

// seal makes the text of a file that can be checked by itself: a line with the schema and the
// SHA-256 of schema and content, and the content.
func seal(schema string, content []byte) []byte {
	return append(fmt.Appendf(nil, "%s %s\n", schema, sealSum(schema, content)), content...)
}

// unseal is the inverse of seal. The error wraps errDamaged, or is an otherSchema.
func unseal(schema string, text []byte) (content []byte, err error) {
	line, content, cut := bytes.Cut(text, []byte("\n"))
	theirs, sum, two := strings.Cut(string(line), " ")
	if !cut || !two || sum != sealSum(theirs, content) {
		return nil, fmt.Errorf("%w: it does not have the SHA-256 of its first line", errDamaged)
	}
	if theirs != schema {
		return nil, &otherSchema{fmt.Sprintf("%.40q", theirs), schema}
	}
	return content, nil
}

func sealSum(schema string, content []byte) string {
	h := sha256.New()
	io.WriteString(h, schema+"\n") // a hash takes everything
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}
