//go:build cgo

// Command images keeps pictures in memory of C, and a map of Go points to it.
package main

/*
#include <stdlib.h>
#include <string.h>
*/
import "C"

import (
	"unsafe"

	"holding/heap"
)

const pixels = 2 << 10

type image struct {
	pixels unsafe.Pointer // of C
	exif   [2000]byte
}

var (
	images  = map[int]*image{} //holder: images
	outside int64
)

func load(id int) {
	i := &image{pixels: C.malloc(pixels)}
	C.memset(i.pixels, 1, pixels)
	images[id], outside = i, outside+pixels
}

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 2100 {
				load(i)
			}
		},
		Clear: func() {
			for _, i := range images {
				C.free(i.pixels)
				outside -= pixels
			}
			images = nil
		},
		Outside: func() int64 { return outside },
	}.Main()
}
