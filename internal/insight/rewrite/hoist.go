package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// constructor is a function whose result, made of constant arguments, can serve all calls.
type constructor struct {
	// kind ends the name of the variable: pattern, template.
	kind string
	// check refuses arguments that make it fail, so that a package variable never panics where
	// a call would have failed later, or not at all. It is given the values of the arguments.
	check func(args []string) error
	// methods are those that leave the value as it is and may run at the same time; nil for all.
	methods []string
	// late says that the outcome depends on the machine: it is made at the first call.
	late bool
	// result is the type that it returns a pointer to, if it has one text for argument: it can be kept by that.
	result string
}

// constructors are known by the name of the function. Their promise that several goroutines may
// use one value is in the documentation of each package.
var constructors = map[string]constructor{
	"regexp.MustCompile":      {kind: "Pattern", check: checkPattern(false), methods: patternMethods, result: "Regexp"},
	"regexp.Compile":          {kind: "Pattern", check: checkPattern(false), methods: patternMethods, result: "Regexp"},
	"regexp.MustCompilePOSIX": {kind: "Pattern", check: checkPattern(true), methods: patternMethods, result: "Regexp"},
	"regexp.CompilePOSIX":     {kind: "Pattern", check: checkPattern(true), methods: patternMethods, result: "Regexp"},
	"strings.NewReplacer":     {kind: "Replacer", check: checkReplacer},
	"time.LoadLocation":       {kind: "Location", check: checkLocation, late: true, result: "Location"},
}

// hoistConstructor makes a value of constant arguments in a package variable.
func hoistConstructor(c *code) error {
	found := collect(c.fn.Body, func(call *ast.CallExpr) bool {
		_, known := constructors[c.calls(call)]
		return known || c.isTemplate(call) || matches[c.calls(call)] != ""
	})
	call, err := pick(c, outermost(found),
		"call of a constructor (regexp.MustCompile, template.Must, time.LoadLocation, strings.NewReplacer)")
	if err != nil {
		return err
	}
	if c.isTemplate(call) {
		return c.hoistTemplate(call)
	}
	if method := matches[c.calls(call)]; method != "" {
		return c.hoistMatch(call, method)
	}
	k := constructors[c.calls(call)]
	args, err := c.constantArguments(call)
	if err != nil && k.result != "" && len(call.Args) == 1 && !call.Ellipsis.IsValid() {
		return c.keepByArgument(call, k)
	}
	if err != nil {
		return err
	}
	if err := k.check(args); err != nil {
		return c.refuse(call.Pos(), "%v", err)
	}
	if err := c.sharable(call, k.methods); err != nil {
		return err
	}
	if k.late {
		return c.hoistLate(call, k.kind)
	}
	return c.hoist(call, k.kind)
}

// matches are functions that compile a pattern for one text, and the methods that they call.
var matches = map[string]string{"regexp.MatchString": "MatchString", "regexp.Match": "Match",
	"regexp.MatchReader": "MatchReader"}

// hoistMatch compiles the pattern of a match in a package variable; the error of the match is always
// nil then, as the pattern compiles.
func (c *code) hoistMatch(call *ast.CallExpr, method string) error {
	text, constant := c.textOf(call.Args[0])
	if !constant {
		return c.refuse(call.Args[0].Pos(), "%s is not a constant", c.text(call.Args[0]))
	}
	if err := checkPattern(false)([]string{text}); err != nil {
		return c.refuse(call.Pos(), "%v", err)
	}
	pattern, err := c.outside(call.Args[0])
	if err != nil {
		return err
	}
	pkg, err := c.packageName(call.Pos(), "regexp")
	if err != nil {
		return err
	}
	name := c.freshName(c.fn.Name.Name, "Pattern")
	c.insert(before(c.fn), "var %s = %s.MustCompile(%s)\n\n", name, pkg, pattern)
	c.replace(call.Pos(), call.End(), "%s.%s(%s), error(nil)", name, method, c.text(call.Args[1]))
	return nil
}

// outermost leaves out calls that are arguments or operands of others: template.New in template.Must.
func outermost(calls []*ast.CallExpr) []*ast.CallExpr {
	var out []*ast.CallExpr
	for _, call := range calls {
		if len(out) > 0 && call.Pos() >= out[len(out)-1].Pos() && call.End() <= out[len(out)-1].End() {
			continue
		}
		out = append(out, call)
	}
	return out
}

// constantArguments are the values of the arguments, which have to be constant texts.
func (c *code) constantArguments(call *ast.CallExpr) ([]string, error) {
	if call.Ellipsis.IsValid() {
		return nil, c.refuse(call.Ellipsis, "the number of arguments is not constant")
	}
	var values []string
	for _, arg := range call.Args {
		text, ok := c.textOf(arg)
		if !ok {
			return nil, c.refuse(arg.Pos(), "%s is not a constant", c.text(arg))
		}
		values = append(values, text)
	}
	return values, nil
}

// hoist moves a call into a package variable before its function, of two variables if it returns
// two values.
func (c *code) hoist(call *ast.CallExpr, kind string) error {
	text, err := c.outside(call)
	if err != nil {
		return err
	}
	name := c.freshName(c.fn.Name.Name, kind)
	names := name
	if tuple, ok := c.info.Types[call].Type.(*types.Tuple); ok && tuple.Len() == 2 {
		names += ", " + c.freshName(c.fn.Name.Name, kind, "err")
	}
	c.insert(before(c.fn), "var %s = %s\n\n", names, text)
	c.replace(call.Pos(), call.End(), "%s", names)
	return nil
}

// hoistLate makes the value at the first call, and keeps it: the way of sync.OnceValues.
func (c *code) hoistLate(call *ast.CallExpr, kind string) error {
	if err := c.atLeast(call.Pos(), "go1.21", "sync.OnceValues"); err != nil {
		return err
	}
	text, err := c.outside(call)
	if err != nil {
		return err
	}
	sync, err := c.packageName(call.Pos(), "sync")
	if err != nil {
		return err
	}
	location, err := c.packageName(call.Pos(), "time")
	if err != nil {
		return err
	}
	name := c.freshName(c.fn.Name.Name, kind)
	c.insert(before(c.fn), "var %s = %s.OnceValues(func() (*%s.Location, error) { return %s })\n\n", name, sync,
		location, text)
	c.replace(call.Pos(), call.End(), "%s()", name)
	c.note("what the first call of %s returns is kept, an error, too: before, each call looked again", c.text(call))
	return nil
}

// outside is the text of an expression as it can stand outside of its function: a constant of the
// function is replaced by its value.
func (c *code) outside(e ast.Expr) (string, error) {
	text := c.text(e)
	from := e.Pos()
	var edits []edit
	var fault error
	ast.Inspect(e, func(n ast.Node) bool {
		one, ok := n.(ast.Expr)
		if !ok || fault != nil {
			return fault == nil
		}
		if value := c.info.Types[one].Value; value != nil && !c.portable(one) {
			literal := value.ExactString()
			if value.Kind() == constant.String {
				literal = quote(constant.StringVal(value))
			}
			edits = append(edits, edit{int(one.Pos() - from), int(one.End() - from), literal})
			return false
		}
		if id, ok := one.(*ast.Ident); ok && !c.portable(id) {
			fault = c.refuse(id.Pos(), "%s is of the function: outside of it there is none", id.Name)
		}
		return fault == nil
	})
	for i := len(edits) - 1; i >= 0; i-- {
		text = text[:edits[i].start] + edits[i].text + text[edits[i].end:]
	}
	if fault == nil {
		fault = c.sameNames(e)
	}
	return text, fault
}

// sameNames refuses an expression whose names mean something else at the top of the file: a
// package whose name a package-level declaration of another file has cannot be, so that only
// names of the function are left, which portable has refused.
func (c *code) sameNames(e ast.Expr) error {
	scope := c.info.Scopes[c.sourceOf(e.Pos()).file]
	for _, id := range collect(e, func(id *ast.Ident) bool { return true }) {
		o := c.info.Uses[id]
		if o == nil || isMember(o) || o.Parent() == types.Universe || o.Pkg() != c.pkg && !isPackageName(o) {
			continue
		}
		if _, at := scope.LookupParent(id.Name, token.NoPos); at != o && c.info.Types[id].Value == nil {
			return c.refuse(id.Pos(), "%s means something else outside of the function", id.Name)
		}
	}
	return nil
}

func isPackageName(o types.Object) bool { _, ok := o.(*types.PkgName); return ok }

// quote writes a text as Go people write patterns: raw, where that is possible.
func quote(text string) string {
	if strings.ContainsAny(text, `\"`) && strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}
