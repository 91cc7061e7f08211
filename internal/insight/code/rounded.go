package code

import (
	"go/ast"
	"go/token"
	"strconv"
)

// mostPlaces is up to how many digits after the point are those of money.
const mostPlaces = 4

// RoundsTo is the smallest number of digits after the point, up to four, that numbers of math/big have in the package:
// it prints them by FloatString(2) or Text('f', 2), or makes them of whole numbers by SetFrac64(cents, 100). 0 if it
// does neither.
func (p *Package) RoundsTo() (places int) {
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok || len(c.Args) == 0 {
				return true
			}
			last, ok := intLiteral(c.Args[len(c.Args)-1])
			if !ok {
				return true
			}
			digits := 0
			switch name := CalleeName(c); {
			case name == "FloatString", name == "Text" && len(c.Args) == 2:
				digits = last
			case (name == "SetFrac64" || name == "NewRat") && len(c.Args) == 2:
				if _, constant := intLiteral(c.Args[0]); !constant { // a constant is not an amount
					digits = powerOfTen(last)
				}
			}
			if digits > 0 && digits <= mostPlaces && (places == 0 || digits < places) {
				places = digits
			}
			return true
		})
	}
	return places
}

func intLiteral(e ast.Expr) (int, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.INT {
		return 0, false
	}
	n, err := strconv.Atoi(l.Value)
	return n, err == nil
}

// powerOfTen is 2 of 100; 0 of what is no power of 10.
func powerOfTen(n int) (power int) {
	for ; n > 1 && n%10 == 0; n /= 10 {
		power++
	}
	if n != 1 {
		return 0
	}
	return power
}
