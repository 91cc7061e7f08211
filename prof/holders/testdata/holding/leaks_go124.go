//go:build go1.24

package main

import (
	"runtime"
	"unique"
	"weak"
)

var (
	watched *handler
	weakly  []weak.Pointer[session]
	strong  []*session
	handles []unique.Handle[string]
)

func init() {
	cases["cleanup"] = struct{ fill, clear func() }{func() {
		watched = &handler{}
		log := make([]byte, 16<<20)
		runtime.AddCleanup(watched, func(n int) { log[n]++ }, 3)
	}, func() { watched = nil; runtime.GC(); settle() }}
	cases["weak"] = struct{ fill, clear func() }{func() {
		for i := 0; i < 2000; i++ {
			s := newSession(i)
			strong = append(strong, s)
			weakly = append(weakly, weak.Make(s))
		}
	}, func() { strong = nil }}
	cases["handles"] = struct{ fill, clear func() }{func() {
		for i := 0; i < 30000; i++ {
			handles = append(handles, unique.Make(newSession(i).user))
		}
	}, func() { handles = nil; runtime.GC(); settle(); runtime.GC(); settle() }}
}
