package limit

import (
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// functionOpens is how a limit on one function begins: func(main.work)<+5%.
const functionOpens = "func("

// behindFunction is the place behind the closing bracket of a limit on one function, 0 if the
// text is of another kind. Brackets within, as of methods, come in pairs.
func behindFunction(text string) int {
	start := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	if !strings.HasPrefix(text[start:], functionOpens) {
		return 0
	}
	depth := 0
	for i := start + len(functionOpens) - 1; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// cutFunction cuts func(main.work) into func and main.work; of any other name the function is empty.
func cutFunction(name string) (key, function string) {
	if end := behindFunction(name); end > 0 && end == len(name) {
		return strings.TrimSuffix(functionOpens, "("), strings.TrimSpace(name[len(functionOpens) : len(name)-1])
	}
	return name, ""
}

// checkFunction refuses a measure of functions without one, and with what is not a name. Errors have
// hints and no position.
func checkFunction(m Measure, name, function string) *fail.Error {
	if !m.OfFunction {
		return nil
	}
	switch {
	case function == "":
		return fail.New(fail.BadInput, "%s names no function", name).
			WithHint("write the function as profiles do: func(main.work)<+5%%, func(example.com/app/parse.(*Reader).Next)<+5%%")
	case !strings.Contains(function, ".") || strings.ContainsAny(function, " \t\r\n\"'"):
		return fail.New(fail.BadInput, "%q is not the name of a function with its package", function).
			WithHint("write it as profiles do: func(main.work)<+5%%, func(example.com/app/parse.(*Reader).Next)<+5%%")
	}
	return nil
}
