package decisions

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/prof/symbol"
)

// Parse reads what go build printed. mainPackage is the import path of package main, which profiles call "main"; empty
// where there is none. Lines that are no decision are skipped.
func Parse(text, mainPackage string) Listing {
	all := Listing{}
	var p *parser
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if header, ok := strings.CutPrefix(line, "# "); ok {
			p.finish()
			p = newParser(all, header, mainPackage)
			continue
		}
		if p != nil {
			p.read(line)
		}
	}
	p.finish()
	return all
}

// position is where a decision is.
type position struct {
	file string
	line int
}

// line is what the compiler printed at a position.
type line struct {
	position
	text string
}

// through is the call by which a value escapes.
type through struct {
	position
	function string
}

// declared is a function, or a closure, where it begins.
type declared struct {
	position
	name    string // as the compiler writes it, without type arguments
	about   string // what the compiler says of it as such
	closure bool
}

// parser reads the decisions about one package.
type parser struct {
	all  Listing
	path string // of the package
	name string // its last element, or main
	seen map[line]bool
	// lines are all that is not about a function as such.
	lines     []line
	functions []declared
	ownFolder map[string]bool  // the directories of the package's files
	by        map[line]through // what a value escapes through, by the line that says that it does
	flow      line             // that the details belong to which come now
	budgets   map[string]int   // that a profile gave, by the name of the function
	hot       map[line]bool    // calls that a profile made inlined, by position and function
}

func newParser(all Listing, header, mainPackage string) *parser {
	importPath, _, _ := strings.Cut(header, " ") // P [P.test]
	p := &parser{all: all, path: importPath, name: path.Base(importPath), seen: map[line]bool{},
		ownFolder: map[string]bool{}, by: map[line]through{}, budgets: map[string]int{}, hot: map[line]bool{}}
	if importPath == mainPackage || importPath == "command-line-arguments" {
		p.name = "main"
	}
	return p
}

// read takes one line.
func (p *parser) read(text string) {
	if p.profiled(text) {
		return
	}
	where, rest, ok := cutPosition(text)
	if !ok {
		return
	}
	if strings.HasPrefix(rest, " ") {
		p.detail(strings.TrimSpace(rest))
		return
	}
	p.flow = line{}
	if value, in, found := strings.Cut(rest, " escapes to heap"); found && strings.HasSuffix(in, ":") {
		p.flow = line{where, value} // details follow
		return
	}
	l := line{where, rest}
	if p.seen[l] { // the package with its tests, or another instance of a generic function
		return
	}
	p.seen[l] = true
	name, about, ok := cutDeclaration(rest)
	if !ok {
		p.lines = append(p.lines, l)
		return
	}
	p.functions = append(p.functions, declared{where, name, about, closure.MatchString(name)})
	if strings.HasPrefix(name, "(") || !strings.Contains(name, ".") {
		p.ownFolder[path.Dir(where.file)] = true
	}
}

// profiled takes what a profile (PGO) is the reason of.
func (p *parser) profiled(text string) bool {
	if rest, ok := strings.CutPrefix(text, "hot-node enabled increased budget="); ok {
		budget, function, _ := strings.Cut(rest, " for func=")
		if n, err := strconv.Atoi(budget); err == nil {
			p.budgets[p.ofPath(function)] = n
		}
		return true
	}
	rest, ok := strings.CutPrefix(text, "hot-budget check allows inlining for call ")
	if !ok {
		return false
	}
	callee, rest, _ := strings.Cut(rest, " (cost ")
	if _, at, found := strings.Cut(rest, ") at "); found {
		if where, _, ok := cutPosition(at); ok {
			p.hot[line{where, p.ofPath(callee)}] = true
		}
	}
	return true
}

// ofPath is the name of a function that has the path of its package, which is no "main" for package main.
func (p *parser) ofPath(function string) string {
	name := symbol.Short(withoutTypes(function))
	if own, ok := strings.CutPrefix(name, path.Base(p.path)+"."); ok && symbol.PackagePath(function) == p.path {
		return p.name + "." + own
	}
	return name
}

// cutPosition cuts FILE:LINE:COLUMN: off a line; the column is optional.
func cutPosition(text string) (p position, rest string, ok bool) {
	end := strings.Index(text, ".go:")
	if end < 0 {
		return p, "", false
	}
	p.file, rest = text[:end+3], text[end+4:]
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	var err error
	if p.line, err = strconv.Atoi(rest[:digits]); err != nil {
		return p, "", false
	}
	rest = rest[digits:]
	if column, ok := strings.CutPrefix(rest, ":"); ok && column != "" && column[0] != ' ' {
		rest = strings.TrimLeft(column, "0123456789")
	}
	return p, strings.TrimPrefix(rest, ": "), true
}

// cutDeclaration reads what the compiler says of a function as such.
func cutDeclaration(text string) (name, about string, ok bool) {
	if rest, can := strings.CutPrefix(text, "can inline "); can {
		name, about, _ = strings.Cut(rest, " with cost ")
		return withoutTypes(name), "cost " + about, true
	}
	if rest, cannot := strings.CutPrefix(text, "cannot inline "); cannot {
		name, about, ok = strings.Cut(rest, ": ")
		return withoutTypes(name), about, ok && !strings.Contains(name, " into ")
	}
	return "", "", false
}

// detail reads "from fmt.Sprintf(...) (call parameter) at FILE:LINE:COLUMN": the last one of a block says what a value
// escapes through.
func (p *parser) detail(text string) {
	rest, ok := strings.CutPrefix(text, "from ")
	at := strings.LastIndex(rest, ") at ")
	if !ok || at < 0 || p.flow.text == "" {
		return
	}
	rest, call := rest[:at], rest[at+len(") at "):]
	open := strings.LastIndex(rest, " (")
	if open < 0 {
		return
	}
	switch what, how := rest[:open], rest[open+2:]; how {
	case "call parameter":
		where, _, _ := cutPosition(call)
		p.by[p.flow] = through{position: where, function: beforeArguments(what)}
	case "return":
		p.by[p.flow] = through{function: "it is returned"}
	}
}

// beforeArguments is what is called: c.log.(*T).Printf("%d", x) -> c.log.(*T).Printf.
func beforeArguments(call string) string {
	for depth, i := 0, len(call)-1; i > 0; i-- {
		switch call[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return call[:i]
			}
		}
	}
	return call
}

// finish gives each line to its function.
func (p *parser) finish() {
	if p == nil {
		return
	}
	byFile := map[string][]declared{}
	for _, d := range p.functions {
		p.declare(d)
		if !d.closure {
			byFile[d.file] = append(byFile[d.file], d)
		}
	}
	for _, all := range byFile {
		slices.SortFunc(all, func(a, b declared) int { return cmp.Compare(a.line, b.line) })
	}
	for _, l := range p.lines {
		all := byFile[l.file]
		i, begins := slices.BinarySearchFunc(all, l.line, func(d declared, n int) int { return cmp.Compare(d.line, n) })
		if !begins {
			i--
		}
		if i >= 0 {
			p.add(p.all[p.qualified(all[i].name, all[i].file)], l)
		}
	}
}

// qualified is the name of a function as Name writes it. The compiler names the package only of those of others; T.M
// may be a method, or a function of a package T.
func (p *parser) qualified(name, file string) string {
	if strings.HasPrefix(name, "(") || !strings.Contains(name, ".") || file != "" && p.ownFolder[path.Dir(file)] {
		return p.name + "." + name
	}
	return name
}

// called is the name of a called function.
func (p *parser) called(name string) string {
	name = withoutTypes(name)
	for _, d := range p.functions {
		if d.name == name {
			return p.qualified(name, d.file)
		}
	}
	return p.qualified(name, "")
}

// declare takes what the compiler says of a function as such.
func (p *parser) declare(d declared) {
	name := p.qualified(d.name, d.file)
	if p.all[name] != nil {
		return // another instance of a generic function
	}
	f := &Function{Line: d.line, Limit: p.budgets[name]}
	p.all[name] = f
	if cost, can := strings.CutPrefix(d.about, "cost "); can {
		cost, _, _ = strings.Cut(cost, " ")
		f.Inlinable = true
		f.Cost, _ = strconv.Atoi(cost)
		return
	}
	f.Reason = d.about
	if _, costs, found := strings.Cut(d.about, ": cost "); found {
		cost, limit, _ := strings.Cut(costs, " exceeds budget ")
		f.Cost, _ = strconv.Atoi(cost)
		f.Limit, _ = strconv.Atoi(limit)
	}
}

// through is the function that the source calls: where that is inlined, the compiler names one that it calls.
func (p *parser) through(t through) string {
	name, _, _ := strings.Cut(t.function, ".")
	for _, l := range p.lines {
		callee, ok := strings.CutPrefix(l.text, "inlining call to ")
		if ok && l.position == t.position && strings.HasPrefix(callee, name+".") {
			return callee
		}
	}
	return t.function
}

// hasVariableSize says whether a value is a slice whose size is known only when the program runs. Since Go 1.25 the
// compiler keeps 32 bytes on the stack for it; a larger one is on the heap, and yet "does not escape".
func hasVariableSize(value string) bool {
	size, ok := strings.CutPrefix(value, "make([]")
	_, size, more := strings.Cut(size, ", ")
	return ok && more && strings.Trim(size, "0123456789)") != ""
}

// add takes a line within a function.
func (p *parser) add(f *Function, l line) {
	if f == nil {
		return
	}
	fact := Fact{File: path.Base(l.file), Line: l.line}
	into := &f.Heap
	escapes := func(value string) { fact.What, fact.By = value, p.through(p.by[line{l.position, value}]) }
	if callee, ok := strings.CutPrefix(l.text, "inlining call to "); ok {
		into, fact.What = &f.Inlined, p.called(callee)
		fact.Hot = p.hot[line{l.position, fact.What}]
	} else if value, ok := strings.CutSuffix(l.text, " escapes to heap"); ok {
		escapes(value)
	} else if value, ok := strings.CutPrefix(l.text, "moved to heap: "); ok {
		escapes(value)
	} else if value, ok := strings.CutSuffix(l.text, " does not escape"); ok && hasVariableSize(value) {
		fact.What, fact.Sized = value, true
	} else if l.text == "Found IsInBounds" || l.text == "Found IsSliceInBounds" {
		into, fact.What = &f.Checks, l.text
	} else if before, rest, ok := strings.Cut(l.text, "devirtualizing "); ok && (before == "" || before == "PGO ") {
		into, fact.Hot = &f.Direct, before != ""
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "interface call "), "function call ")
		fact.What, fact.By, _ = strings.Cut(rest, " to ")
	} else {
		return
	}
	*into = append(*into, fact)
}
