package main

import "strings"

// A sheet is what the service needs of a text.
type sheet struct {
	title    string
	headings []string
	samples  int
	strength int // of the weakest sample, in newtons
	water    int // that the thirstiest sample took up, in grams
}

// A parser goes through a text line by line.
type parser struct {
	sheet sheet
}

func (p *parser) parse(text string) {
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		switch {
		case strings.HasPrefix(line, "# "):
			p.heading(line[2:])
		case strings.HasPrefix(line, "Sample "):
			p.sample(strings.Fields(line))
		}
	}
}

func (p *parser) heading(name string) {
	p.sheet.headings = append(p.sheet.headings, name)
}

func (p *parser) sample(fields []string) {
	if len(fields) < 5 {
		return
	}
	p.sheet.samples++
	if n := number(fields[4]); p.sheet.strength == 0 || n < p.sheet.strength {
		p.sheet.strength = n
	}
	if len(fields) > 9 {
		p.sheet.water = max(p.sheet.water, number(fields[9]))
	}
}

func (p *parser) finish() *sheet {
	if len(p.sheet.headings) > 0 {
		p.sheet.title = p.sheet.headings[0]
	}
	return &p.sheet
}

// number reads the digits that a word begins with.
func number(s string) (n int) {
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = 10*n + int(s[i]-'0')
	}
	return n
}
