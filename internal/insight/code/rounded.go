package code

import (
	"go/ast"
	"go/token"
	"strconv"
)

// mostPlaces is up to how many digits after the point are those of money.
const mostPlaces = 4

// RoundsTo is the smallest number of digits after the point, up to four, to which the package prints numbers of
// math/big: by FloatString(2) or Text('f', 2). 0 if it prints none so.
func (p *Package) RoundsTo() (places int) {
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok || len(c.Args) == 0 || CalleeName(c) != "FloatString" && CalleeName(c) != "Text" {
				return true
			}
			l, ok := c.Args[len(c.Args)-1].(*ast.BasicLit)
			if !ok || l.Kind != token.INT || CalleeName(c) == "Text" && len(c.Args) != 2 {
				return true
			}
			if n, err := strconv.Atoi(l.Value); err == nil && n > 0 && n <= mostPlaces && (places == 0 || n < places) {
				places = n
			}
			return true
		})
	}
	return places
}
