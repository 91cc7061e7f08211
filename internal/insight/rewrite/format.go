package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// joinFormatted makes a sum of a fmt.Sprintf whose format has text, %s, %d, %v and %t without flags, where each argument
// is of a basic type: one with a name may have methods that fmt calls.
func joinFormatted(c *code) error {
	found := collect(c.fn.Body, func(call *ast.CallExpr) bool { return c.calls(call) == "fmt.Sprintf" })
	call, err := pick(c, found, "call of fmt.Sprintf")
	if err != nil {
		return err
	}
	pieces, err := c.formatted(call)
	if err != nil {
		return err
	}
	if err := c.orderUnseen(call); err != nil {
		return err
	}
	text, err := c.sumOf(call, pieces)
	if err != nil {
		return err
	}
	path := way(c.fn, call)
	switch path[len(path)-2].(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return c.refuse(call.Pos(), "nobody takes the text: the call can go")
	}
	if len(pieces) > 1 && !c.standsAlone(call) {
		text = "(" + text + ")"
	}
	if len(c.uses(c.at.file, c.packageOf("fmt"))) == 1 {
		return c.refuse(call.Pos(), "fmt is used here only: the import would have to go, too")
	}
	c.replace(call.Pos(), call.End(), "%s", text)
	return nil
}

// packageOf is the package that the file of the place imports by a path; nil if it does not.
func (c *code) packageOf(path string) types.Object {
	for _, o := range c.info.Uses {
		if p, ok := o.(*types.PkgName); ok && p.Imported().Path() == path && c.sourceOf(p.Pos()) == c.at {
			return p
		}
	}
	return nil
}

// piece is a part of a formatted text: a constant, or an argument.
type piece struct {
	text string
	arg  ast.Expr
}

// formatted takes a call of fmt.Sprintf apart.
func (c *code) formatted(call *ast.CallExpr) ([]piece, error) {
	format, constant := c.textOf(call.Args[0])
	args := call.Args[1:]
	switch {
	case !constant:
		return nil, c.refuse(call.Args[0].Pos(), "the format is not a constant")
	case call.Ellipsis.IsValid():
		return nil, c.refuse(call.Ellipsis, "the arguments are a slice")
	}
	for _, group := range c.at.file.Comments {
		if call.Pos() < group.Pos() && group.End() < call.End() {
			return nil, c.refuse(group.Pos(), "there is a comment in the call, which would be lost")
		}
	}
	var pieces []piece
	text := ""
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			text += format[i : i+1]
			continue
		}
		if i++; i == len(format) {
			return nil, c.refuse(call.Args[0].Pos(), "the format ends with %%")
		}
		if format[i] == '%' {
			text += "%"
			continue
		}
		if len(args) == 0 {
			return nil, c.refuse(call.Args[0].Pos(), "the format has more verbs than arguments")
		}
		if kinds := verbs[format[i]]; !slices.Contains(kinds, c.kindOf(args[0])) {
			return nil, c.refuse(args[0].Pos(), "%%%c of a %s is formatted by rules that + does not know", format[i],
				c.info.Types[args[0]].Type)
		}
		if text != "" {
			pieces = append(pieces, piece{text: text})
		}
		pieces, text, args = append(pieces, piece{arg: args[0]}), "", args[1:]
	}
	if len(args) > 0 {
		return nil, c.refuse(args[0].Pos(), "the format has fewer verbs than arguments")
	}
	if text != "" {
		pieces = append(pieces, piece{text: text})
	}
	return pieces, c.copies(call, pieces)
}

// copies refuses sums that may be one of their parts itself: fmt makes a copy, which differs where the memory of the
// part is changed by package unsafe.
func (c *code) copies(call *ast.CallExpr, pieces []piece) error {
	alone, variable := true, false
	for _, p := range pieces {
		alone = alone && p.arg != nil && c.kindOf(p.arg) == textKind
		variable = variable || p.arg != nil && c.info.Types[p.arg].Value == nil
	}
	switch {
	case !variable:
		return c.refuse(call.Pos(), "no argument varies")
	case alone && len(pieces) > 1:
		return c.refuse(call.Pos(), "all parts may be empty but one, of which + makes no copy")
	}
	return nil
}

// kind is what fmt makes of a value of a basic type without a name.
type kind int

const (
	otherKind kind = iota
	textKind
	signedKind
	unsignedKind
	boolKind
)

// verbs are those that give the same as +, strconv.FormatInt, FormatUint and FormatBool (fmt, Printing).
var verbs = map[byte][]kind{
	's': {textKind}, 'd': {signedKind, unsignedKind}, 't': {boolKind},
	'v': {textKind, signedKind, unsignedKind, boolKind},
}

func (c *code) kindOf(e ast.Expr) kind {
	b, ok := types.Unalias(c.info.Types[e].Type).(*types.Basic)
	if !ok {
		return otherKind
	}
	switch info := b.Info(); {
	case b.Kind() == types.Uintptr || info&types.IsUntyped != 0:
		return otherKind
	case info&types.IsString != 0:
		return textKind
	case info&types.IsUnsigned != 0:
		return unsignedKind
	case info&types.IsInteger != 0:
		return signedKind
	case info&types.IsBoolean != 0:
		return boolKind
	}
	return otherKind
}

// orderUnseen refuses several arguments of which one calls something: Go does not say whether a variable is read before
// a call beside it, and a sum may do it at another moment.
func (c *code) orderUnseen(call *ast.CallExpr) error {
	varying := 0
	var effect ast.Node
	for _, arg := range call.Args[1:] {
		if c.info.Types[arg].Value != nil {
			continue
		}
		varying++
		ast.Inspect(arg, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if name := c.builtin(n); !c.conversion(n) && name != "len" && name != "cap" {
					effect = n
				}
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					effect = n
				}
			}
			return true
		})
	}
	if varying > 1 && effect != nil {
		return c.refuse(effect.Pos(), "%s may change what another argument reads, and + would read it at another moment",
			c.text(effect))
	}
	return nil
}

// sumOf is the sum as it is written.
func (c *code) sumOf(call *ast.CallExpr, pieces []piece) (string, error) {
	if len(pieces) == 1 && c.kindOf(pieces[0].arg) == textKind {
		if err := c.atLeast(call.Pos(), "go1.20", "strings.Clone"); err != nil {
			return "", err
		}
		name, err := c.packageName(call.Pos(), "strings")
		return name + ".Clone(" + c.text(pieces[0].arg) + ")", err
	}
	var terms []string
	for _, p := range pieces {
		if p.arg == nil {
			terms = append(terms, strconv.Quote(p.text))
			continue
		}
		term, err := c.term(p.arg)
		if err != nil {
			return "", err
		}
		terms = append(terms, term)
	}
	return strings.Join(terms, " + "), nil
}

// term is an argument as a text.
func (c *code) term(arg ast.Expr) (string, error) {
	of := c.kindOf(arg)
	if of == textKind {
		return c.text(arg), nil
	}
	name, err := c.packageName(arg.Pos(), "strconv")
	if err != nil {
		return "", err
	}
	switch wide := map[kind]string{signedKind: "int64", unsignedKind: "uint64"}[of]; {
	case of == boolKind:
		return name + ".FormatBool(" + c.text(arg) + ")", nil
	case types.Identical(c.info.Types[arg].Type, types.Typ[types.Int]):
		return name + ".Itoa(" + c.text(arg) + ")", nil
	case c.visible(arg.Pos(), wide) != types.Universe.Lookup(wide):
		return "", c.refuse(arg.Pos(), "%s means something else here", wide)
	case of == signedKind:
		return name + ".FormatInt(int64(" + c.text(arg) + "), 10)", nil
	default:
		return name + ".FormatUint(uint64(" + c.text(arg) + "), 10)", nil
	}
}

// standsAlone says that a call is the whole of a value, so that a sum in its place needs no parentheses.
func (c *code) standsAlone(call *ast.CallExpr) bool {
	path := way(c.fn, call)
	switch p := path[len(path)-2].(type) {
	case *ast.AssignStmt, *ast.ReturnStmt, *ast.ValueSpec, *ast.KeyValueExpr, *ast.CompositeLit, *ast.ParenExpr:
		return true
	case *ast.CallExpr:
		return p.Fun != call
	}
	return false
}
