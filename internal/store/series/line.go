package series

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/inputs"
)

// A line of a store is the JSON of a point, and begins with its schema and its ID:
//
//	{"schema":"hone.point/1","id":"0123456789abcdef0123456789abcdef","at":...
//
// The ID is the hash of the bytes after it. So a reader sees that a line was edited, also where a newer hone has
// written fields that it does not know.
const (
	lineHead = `{"schema":"` + Schema + `","id":"`
	idEnd    = `",`
	idDigits = 32 // 128 bits of SHA-256
)

// schemaFamily is what the schemas of all versions begin with.
const schemaFamily = "hone.point/"

// lineDepth is how many levels a line may have; those of a point are 5.
const lineDepth = 20

// Identify returns the point as a store keeps it: with its schema and its ID.
func Identify(p Point) (Point, error) {
	p, _, err := encode(p)
	return p, err
}

// encode is Identify, and the line of the point with its newline.
func encode(p Point) (Point, []byte, error) {
	p.Schema, p.ID, p.At = Schema, "", p.At.UTC()
	p.shorten()
	if p.Values == nil {
		p.Values = []Value{}
	}
	text, err := json.Marshal(p)
	if err != nil {
		return p, nil, fmt.Errorf("encode point: %w", err)
	}
	rest := text[len(lineHead)+len(idEnd):]
	p.ID = idOf(rest)
	line := make([]byte, 0, len(text)+idDigits+1)
	line = append(append(line, lineHead...), p.ID...)
	line = append(append(append(line, idEnd...), rest...), '\n')
	return p, line, nil
}

func idOf(rest []byte) string {
	sum := sha256.Sum256(rest)
	return hex.EncodeToString(sum[:])[:idDigits]
}

// trueID is the ID of a line that hone wrote and nobody edited; ok is false for all others.
func trueID(line []byte) (id string, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(lineHead))
	if !ok || len(rest) < idDigits+len(idEnd) || string(rest[idDigits:idDigits+len(idEnd)]) != idEnd {
		return "", false
	}
	id = string(rest[:idDigits])
	return id, id == idOf(rest[idDigits+len(idEnd):])
}

// errEdited says that the ID of a point does not fit to what the point has.
var errEdited = errors.New("the point was edited: its ID does not fit its content")

// decode reads a line without its newline. With errEdited it returns the point, which has the ID of what it is now. All
// other errors say why the line is no point.
func decode(ctx context.Context, line []byte) (Point, error) {
	budget := inputs.Budget{Bytes: inputs.SeriesLine, Values: inputs.SeriesLineValues, Depth: lineDepth}
	if err := budget.Start(ctx, "").JSON(line); err != nil {
		return Point{}, err
	}
	if !bytes.HasPrefix(line, []byte(lineHead)) {
		if err := checkSchema(line); err != nil {
			return Point{}, err
		}
	}
	var p Point
	if err := json.Unmarshal(line, &p); err != nil {
		return Point{}, notJSON(err)
	}
	if reason := impossible(p); reason != "" {
		return Point{}, errors.New(reason)
	}
	if _, ok := trueID(line); ok {
		return p, nil
	}
	again, _, err := encode(p) // an editor may have written the same point with other spaces
	if err != nil {
		return Point{}, err
	}
	if again.ID != p.ID {
		return again, errEdited
	}
	return again, nil
}

// checkSchema says why a line is of no version that this hone reads.
func checkSchema(line []byte) error {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return notJSON(err)
	}
	version, ours := strings.CutPrefix(head.Schema, schemaFamily)
	n, err := strconv.Atoi(version)
	switch {
	case head.Schema == Schema:
		return nil
	case ours && err == nil && n > 1:
		return fmt.Errorf("a newer hone has written this point: %s%d, and this one reads %s: update hone", schemaFamily,
			n, Schema)
	}
	return fmt.Errorf("this is no point: its schema is %s, want %s", quoted(head.Schema), Schema)
}

// notJSON says where a line is not what encoding/json wants, without a stranger's text.
func notJSON(err error) error {
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		return fmt.Errorf("this is no point: %s at %s", quoted(wrongType.Value), quoted(wrongType.Field))
	}
	return fmt.Errorf("this is no JSON: %w", err)
}

// quoted is a stranger's text for a message, of one short line.
func quoted(text string) string {
	const most = 80 // bytes: names of benchmarks mostly have less
	if len(text) > most {
		return fmt.Sprintf("%q...", text[:most])
	}
	return strconv.Quote(text)
}
