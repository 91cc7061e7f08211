package loadcmd

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// mostOps is the largest count that is exact as a floating-point number.
const mostOps = 1 << 53

var errNoMatch = errors.New("nothing in its output matches")

// Count is the sum of the first group of all matches in an output: a command that carries out several tests prints a
// number for each. A carriage return ends a line, too. Numbers may have commas (12,345), a fraction and an exponent;
// the sum is rounded.
//
// Errors: nothing matches, or a group is not a number from 0 to 2^53.
func Count(re *regexp.Regexp, output string) (uint64, error) {
	matches := re.FindAllStringSubmatch(strings.ReplaceAll(output, "\r", "\n"), -1)
	if len(matches) == 0 {
		return 0, errNoMatch
	}
	sum := 0.0
	for _, m := range matches {
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
		if err != nil || !(n >= 0 && n <= mostOps) {
			return 0, fmt.Errorf("%q is not a number of operations", m[1])
		}
		sum += n
	}
	if sum > mostOps {
		return 0, fmt.Errorf("the numbers add up to %g, which is not a number of operations", sum)
	}
	return uint64(math.Round(sum)), nil
}
