package memdb

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

type condition func(row []any, args []driver.Value) bool

type stmt struct {
	table  *table
	names  []string
	cols   []int
	where  condition
	params int
}

var tokens = regexp.MustCompile(`'[^']*'|[A-Za-z_]+|[0-9]+|[(),=<>?*]`)

type parser struct {
	toks []string
	st   *stmt
}

func (p *parser) next() string {
	if len(p.toks) == 0 {
		return ""
	}
	t := p.toks[0]
	p.toks = p.toks[1:]
	return t
}

func (p *parser) peek() string {
	if len(p.toks) == 0 {
		return ""
	}
	return strings.ToUpper(p.toks[0])
}

func parse(q string) (*stmt, error) {
	p := &parser{toks: tokens.FindAllString(q, -1), st: &stmt{}}
	if !strings.EqualFold(p.next(), "SELECT") {
		return nil, errors.New("memdb: only SELECT")
	}
	for p.peek() != "FROM" && p.peek() != "" {
		if t := p.next(); t != "," {
			p.st.names = append(p.st.names, t)
		}
	}
	p.next()
	name := p.next()
	mu.RLock()
	p.st.table = tables[name]
	mu.RUnlock()
	if p.st.table == nil {
		return nil, fmt.Errorf("memdb: no table %q", name)
	}
	for _, n := range p.st.names {
		i := slices.Index(p.st.table.columns, n)
		if i < 0 {
			return nil, fmt.Errorf("memdb: no column %q", n)
		}
		p.st.cols = append(p.st.cols, i)
	}
	p.st.where = func([]any, []driver.Value) bool { return true }
	if p.peek() == "WHERE" {
		p.next()
		var err error
		if p.st.where, err = p.or(); err != nil {
			return nil, err
		}
	}
	return p.st, nil
}

func (p *parser) or() (condition, error) {
	left, err := p.and()
	for err == nil && p.peek() == "OR" {
		p.next()
		l := left
		var r condition
		if r, err = p.and(); err == nil {
			left = func(row []any, a []driver.Value) bool { return l(row, a) || r(row, a) }
		}
	}
	return left, err
}

func (p *parser) and() (condition, error) {
	left, err := p.term()
	for err == nil && p.peek() == "AND" {
		p.next()
		l := left
		var r condition
		if r, err = p.term(); err == nil {
			left = func(row []any, a []driver.Value) bool { return l(row, a) && r(row, a) }
		}
	}
	return left, err
}

func (p *parser) term() (condition, error) {
	if p.peek() == "(" {
		p.next()
		c, err := p.or()
		p.next()
		return c, err
	}
	col := slices.Index(p.st.table.columns, p.next())
	op, val := p.next(), p.next()
	if col < 0 || val == "" {
		return nil, errors.New("memdb: bad condition")
	}
	var value func(a []driver.Value) any
	if val == "?" {
		n := p.st.params
		p.st.params++
		value = func(a []driver.Value) any { return a[n] }
	} else if text, ok := strings.CutPrefix(val, "'"); ok {
		text = strings.TrimSuffix(text, "'")
		value = func([]driver.Value) any { return text }
	} else {
		num, err := strconv.ParseInt(val, 10, 64)
		if err != nil {
			return nil, err
		}
		value = func([]driver.Value) any { return num }
	}
	return func(row []any, a []driver.Value) bool {
		v := value(a)
		switch op {
		case "=":
			return row[col] == v
		case "<", ">":
			x, ok1 := row[col].(int64)
			y, ok2 := v.(int64)
			return ok1 && ok2 && (x < y) == (op == "<") && x != y
		}
		return false
	}, nil
}
