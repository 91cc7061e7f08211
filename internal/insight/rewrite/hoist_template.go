package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	htmltemplate "html/template"
	"text/template"
)

// templateMethods of a template leave it as it is, and may run at the same time.
var templateMethods = []string{"Execute", "ExecuteTemplate", "Name", "DefinedTemplates"}

// isTemplate says whether a call makes a template: template.Must(...) or the last of a chain
// template.New(...).Parse(...).
func (c *code) isTemplate(call *ast.CallExpr) bool {
	switch c.calls(call) {
	case "text/template.Must", "html/template.Must", "text/template.Template.Parse", "html/template.Template.Parse":
		return true
	}
	return false
}

// hoistTemplate hoists a chain of constant steps: New, Delims, Option, Funcs, Parse.
func (c *code) hoistTemplate(call *ast.CallExpr) error {
	chain := ast.Expr(call)
	if name := c.calls(call); name == "text/template.Must" || name == "html/template.Must" {
		if len(call.Args) != 1 {
			return c.refuse(call.Pos(), "the template comes from another function")
		}
		chain = call.Args[0]
	}
	steps, err := c.templateSteps(chain)
	if err != nil {
		return err
	}
	if err := steps.try(c.callee(call).Pkg().Path() == "html/template"); err != nil {
		return c.refuse(call.Pos(), "%v", err)
	}
	if err := c.sharable(call, templateMethods); err != nil {
		return err
	}
	return c.hoist(call, "Template")
}

// templateSteps are the arguments of a chain.
type templateSteps struct {
	name, text, left, right string
	options                 []string
	funcs                   template.FuncMap // with functions that stand for those of the program
}

func (c *code) templateSteps(chain ast.Expr) (*templateSteps, error) {
	t := &templateSteps{funcs: template.FuncMap{}}
	parsed := false
	for {
		on, name, call := methodCall(chain)
		if call == nil {
			return nil, c.refuse(chain.Pos(), "%s is not made here: it may be another one at each call", c.text(chain))
		}
		if full := c.calls(call); full == "text/template.New" || full == "html/template.New" {
			args, err := c.constantArguments(call)
			if err != nil {
				return nil, err
			}
			t.name = args[0]
			return t, nil
		}
		if name.Name == "Funcs" {
			if err := c.templateFuncs(t.funcs, call); err != nil {
				return nil, err
			}
			chain = on
			continue
		}
		args, err := c.constantArguments(call)
		if err != nil {
			return nil, err
		}
		switch {
		case name.Name == "Parse" && !parsed:
			t.text, parsed = args[0], true
		case name.Name == "Delims" && len(args) == 2:
			t.left, t.right = args[0], args[1]
		case name.Name == "Option":
			t.options = append(t.options, args...)
		default:
			return nil, c.refuse(name.Pos(), "%s is not a constant step in making a template", name.Name)
		}
		chain = on
	}
}

// templateFuncs accepts a map that is written out, of functions that are declared.
func (c *code) templateFuncs(known template.FuncMap, call *ast.CallExpr) error {
	if len(call.Args) != 1 {
		return c.refuse(call.Pos(), "Funcs takes one map")
	}
	m, ok := call.Args[0].(*ast.CompositeLit)
	if !ok {
		return c.refuse(call.Args[0].Pos(),
			"the map of functions is not written out here: it may be another one at each call")
	}
	for _, e := range m.Elts {
		pair, isPair := e.(*ast.KeyValueExpr)
		if !isPair {
			return c.refuse(e.Pos(), "a map has keys")
		}
		name, constant := c.textOf(pair.Key)
		if !constant {
			return c.refuse(pair.Key.Pos(), "%s is not a constant", c.text(pair.Key))
		}
		var id *ast.Ident
		switch f := pair.Value.(type) {
		case *ast.Ident:
			id = f
		case *ast.SelectorExpr:
			id = f.Sel
		}
		f, declared := (*types.Func)(nil), false
		if id != nil {
			f, declared = c.info.Uses[id].(*types.Func)
		}
		if !declared || f.Signature().Recv() != nil || !templateResult(f.Signature().Results()) {
			return c.refuse(pair.Value.Pos(),
				"%s is not a function that is declared, with one result or a result and an error", c.text(pair.Value))
		}
		known[name] = func(...any) string { return "" }
	}
	return nil
}

// templateResult says whether a template takes a function with these results.
func templateResult(t *types.Tuple) bool {
	return t.Len() == 1 || t.Len() == 2 && types.Identical(t.At(1).Type(), types.Universe.Lookup("error").Type())
}

// try makes the template here, and refuses what fails or panics.
func (t *templateSteps) try(html bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the template panics: %v", p)
		}
	}()
	if html {
		_, err = htmltemplate.New(t.name).Delims(t.left,
			t.right).Option(t.options...).Funcs(htmltemplate.FuncMap(t.funcs)).Parse(t.text)
	} else {
		_, err = template.New(t.name).Delims(t.left, t.right).Option(t.options...).Funcs(t.funcs).Parse(t.text)
	}
	return err
}
