package shop

import (
	"strings"
	"testing"
)

const list = "red shoes,blue shoes,green hat,red scarf,grey coat,black socks"

var sink int

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		sink += len(Parse(list))
	}
}

func BenchmarkScan(b *testing.B) {
	for b.Loop() {
		sink += strings.Count(list, ",")
	}
}
