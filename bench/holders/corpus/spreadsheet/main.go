// Command spreadsheet keeps cells in a map of maps.
package main

import (
	"fmt"

	"holding/heap"
)

type cell struct {
	formula string
	history [32]float64
}

var sheets = map[string]map[int]*cell{} //holder: sheets

func set(sheet string, at int) {
	if sheets[sheet] == nil {
		sheets[sheet] = map[int]*cell{}
	}
	sheets[sheet][at] = &cell{formula: "=A1"}
}

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 310 {
				set(fmt.Sprint("sheet ", i%100), i)
			}
		},
		Clear: func() { clear(sheets) },
	}.Main()
}
