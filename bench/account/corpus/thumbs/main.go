// Command thumbs decodes pictures in C and never frees them.
//
// planted: anonymous outside of the runtime, 64 MB
package main

/*
#include <stdlib.h>
#include <string.h>

static void *decode(size_t n, int c) {
	char *p = malloc(n);
	if (p != NULL) memset(p, c, n);
	return p;
}
*/
import "C"

import (
	"unsafe"

	"resident/stay"
)

type picture struct {
	name   int
	pixels unsafe.Pointer
}

var (
	pictures []picture
	names    [][]byte
)

func main() {
	stay.Program{
		Rest: func() {
			for range 20 {
				names = append(names, stay.Fill(make([]byte, 1<<20)))
			}
		},
		Plant: func() {
			for i := range 1600 {
				n := C.size_t(20_000 + i%2*40_000)
				pictures = append(pictures, picture{i, C.decode(n, C.int(i%200+1))})
			}
		},
	}.Main()
}
