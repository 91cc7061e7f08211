package main

import (
	"bytes"
	"fmt"
)

type document struct {
	id    int
	title string
	body  string
}

func (d *document) text() string { return d.body }

func library(n int) []*document {
	words := []string{"the", "river", "was", "high", "and", "old", "bridge", "near", "town", "stood", "mill", "wheel", "water", "stone", "of", "road"}
	docs := make([]*document, n)
	for i := range docs {
		var b bytes.Buffer
		for k := range 700 {
			b.WriteString(words[(k*k+i*7+k*3)%len(words)])
			if (k*13+i)%97 == 0 {
				b.WriteString(" river bridge mill")
			}
			b.WriteByte(' ')
		}
		docs[i] = &document{id: i, title: fmt.Sprintf("Chapter %d", i), body: b.String()}
	}
	return docs
}
