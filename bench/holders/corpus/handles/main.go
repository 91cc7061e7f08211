// Command handles has objects with a finalizer that point at each other in a circle, so that no finalizer ever runs.
package main

import (
	"runtime"
	"weak"

	"holding/heap"
)

type file struct {
	pages [8000]byte
	dir   *dir
}

type dir struct {
	open *file
}

var (
	closed int
	// all is how to reach them again; it keeps none alive.
	all []weak.Pointer[file]
)

func open() {
	f := &file{dir: new(dir)} //holder: file | open
	f.dir.open = f
	runtime.SetFinalizer(f, (*file).close) //holder: file | open
	all = append(all, weak.Make(f))
}

func (f *file) close() { closed++ }

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / 8192 {
				open()
			}
		},
		Clear: func() {
			for _, p := range all {
				if f := p.Value(); f != nil {
					f.dir.open = nil
					runtime.SetFinalizer(f, nil)
				}
			}
			all = nil
		},
	}.Main()
}
