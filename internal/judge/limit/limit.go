// Package limit is the small language of limits: NAME OP VALUE. A threshold limits a number
// of a load test, as in p99>300ms, errors>0.1% or service.p99.9<=2ms; a change limits how far
// a measure may move from A to B, as in cpu<+2% or allocs<=0. Rates and ranges of rates are
// read here, too.
package limit

// Op compares a value with its limit.
type Op string

// The operators.
const (
	Less    Op = "<"
	AtMost  Op = "<="
	More    Op = ">"
	AtLeast Op = ">="
)

// Holds says whether value OP limit. NaN meets no condition.
func (o Op) Holds(value, limit float64) bool {
	switch o {
	case Less:
		return value < limit
	case AtMost:
		return value <= limit
	case More:
		return value > limit
	case AtLeast:
		return value >= limit
	default:
		return false
	}
}

// Opposite is what holds where o does not; of what is not an operator it is the same.
func (o Op) Opposite() Op {
	switch o {
	case Less:
		return AtLeast
	case AtMost:
		return More
	case More:
		return AtMost
	case AtLeast:
		return Less
	default:
		return o
	}
}
