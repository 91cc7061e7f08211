package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

const dims = 48

type item struct {
	ID     int
	Tags   []string
	vector [dims]float32
}

func newItem(i int) *item {
	it := &item{ID: i, Tags: []string{"t" + strconv.Itoa(i%5), "all"}}
	for d := range it.vector {
		it.vector[d] = float32(math.Sin(float64(i*d + 1)))
	}
	return it
}

// describe shows the strongest features of an item.
func (it *item) describe() string {
	var b strings.Builder
	b.WriteString(strings.Join(it.Tags, "|"))
	for d, v := range it.vector {
		if v > 0.985 {
			fmt.Fprintf(&b, " %d:%.2f", d, v)
		}
	}
	return b.String()
}

func (it *item) dot(u *[dims]float32) float64 {
	sum := float32(0)
	for d, v := range it.vector {
		sum += v * u[d]
	}
	return float64(sum)
}
