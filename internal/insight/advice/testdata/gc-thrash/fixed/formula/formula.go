// Package formula reads and computes formulas of sums and products.
package formula

import (
	"fmt"
	"strconv"
	"strings"
)

// Node is a part of a formula.
type Node interface {
	Value(of func(string) (float64, bool)) (float64, error)
	String() string
}

type (
	constant struct{ v float64 }
	name     struct{ text string }
	sum      struct{ parts []Node }
	product  struct{ parts []Node }
)

// Parse reads a formula such as "a*2,b*c", in which "," stands for plus.
func Parse(text string) (Node, error) {
	s := &sum{}
	for _, t := range strings.Split(text, ",") {
		p, err := parseProduct(t)
		if err != nil {
			return nil, err
		}
		s.parts = append(s.parts, p)
	}
	return s, nil
}

func parseProduct(text string) (Node, error) {
	p := &product{}
	for _, t := range strings.Split(text, "*") {
		n, err := parseLeaf(t)
		if err != nil {
			return nil, err
		}
		p.parts = append(p.parts, n)
	}
	return p, nil
}

func parseLeaf(text string) (Node, error) {
	if text == "" {
		return nil, fmt.Errorf("empty operand")
	}
	if text[0] >= '0' && text[0] <= '9' {
		v, err := strconv.ParseFloat(text, 64)
		return &constant{v}, err
	}
	return &name{text: strings.ToLower(text)}, nil
}

func (c *constant) Value(func(string) (float64, bool)) (float64, error) { return c.v, nil }

func (n *name) Value(of func(string) (float64, bool)) (float64, error) {
	v, ok := of(n.text)
	if !ok {
		return 0, fmt.Errorf("no cell %q", n.text)
	}
	return v, nil
}

func values(parts []Node, of func(string) (float64, bool)) ([]float64, error) {
	all := make([]float64, 0, len(parts))
	for _, p := range parts {
		v, err := p.Value(of)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

func (s *sum) Value(of func(string) (float64, bool)) (total float64, err error) {
	all, err := values(s.parts, of)
	for _, v := range all {
		total += v
	}
	return total, err
}

func (p *product) Value(of func(string) (float64, bool)) (total float64, err error) {
	all, err := values(p.parts, of)
	total = 1
	for _, v := range all {
		total *= v
	}
	return total, err
}

func (c *constant) String() string { return strconv.FormatFloat(c.v, 'g', -1, 64) }
func (n *name) String() string     { return strings.ToUpper(n.text) }
func (s *sum) String() string      { return join(s.parts, " + ") }
func (p *product) String() string  { return join(p.parts, "*") }

func join(parts []Node, by string) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.String()
	}
	return strings.Join(texts, by)
}

// Simple is a formula without factors of 1 and summands of 0.
func Simple(n Node) Node {
	switch n := n.(type) {
	case *sum:
		return &sum{without(n.parts, 0)}
	case *product:
		return &product{without(n.parts, 1)}
	}
	return n
}

func without(parts []Node, neutral float64) (left []Node) {
	for _, p := range parts {
		p = Simple(p)
		if c, ok := p.(*constant); ok && c.v == neutral {
			continue
		}
		left = append(left, p)
	}
	return left
}
