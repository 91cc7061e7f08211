// Uses has memory of one kind, prints "ready", and waits for the end of its input. It is for tests.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

const mb = 1 << 20

var (
	kept    [][]byte
	objects []*[256]byte
	table   [96 * mb]byte
)

// written is memory of which each page was written.
func written(n int) []byte {
	b := make([]byte, n)
	touch(b)
	return b
}

func touch(b []byte) {
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
}

var kinds = map[string]func(){
	"live": func() {
		for range 80 {
			kept = append(kept, written(mb))
		}
		runtime.GC()
	},
	"garbage": func() {
		debug.SetGCPercent(400)
		for range 20 {
			kept = append(kept, written(mb))
		}
		runtime.GC()
		for range 75 {
			written(mb)
		}
	},
	"garbage-early": func() { // right after a collection
		debug.SetGCPercent(400)
		for range 20 {
			kept = append(kept, written(mb))
		}
		runtime.GC()
		for n := (runtime.MemStats{}); ; {
			written(mb / 4)
			before := n.NumGC
			if runtime.ReadMemStats(&n); before > 0 && n.NumGC > before {
				return
			}
		}
	},
	"peak": func() {
		for range 120 {
			kept = append(kept, written(mb))
		}
		kept = nil
		runtime.GC()
	},
	"night": func() { // much less than the peak, and still a heap: its goal is above what the peak has left in part
		for range 160 {
			kept = append(kept, written(mb))
		}
		clear(kept[60:])
		runtime.GC()
	},
	"fragmentation": func() {
		for range 100 * mb / 256 {
			o := new([256]byte)
			o[0] = 1
			objects = append(objects, o)
		}
		few := make([]*[256]byte, 0, len(objects)/32+1)
		for i := 0; i < len(objects); i += 32 {
			few = append(few, objects[i])
		}
		objects = few
		runtime.GC()
		runtime.GC()
	},
	"goroutines": func() { goroutines(30_000, 0) },
	"deep":       func() { goroutines(300, 3000) },
	"untouched":  func() { kept = append(kept, make([]byte, 400*mb), written(40*mb)) },
	"variables":  func() { touch(table[:]) },
	"file":       func() { mapFile("mapped", syscall.MAP_PRIVATE) },
	"shared": func() {
		touch(mmap(-1, syscall.MAP_SHARED|syscall.MAP_ANON))
	},
	"anonymous": func() {
		touch(mmap(-1, syscall.MAP_PRIVATE|syscall.MAP_ANON))
	},
	"cache": func() { openFile("log") },
}

func goroutines(n, depth int) {
	there := make(chan bool)
	for range n {
		go wait(there, depth)
	}
	for range n {
		<-there
	}
}

func wait(there chan bool, depth int) byte {
	var local [64]byte
	local[depth%64] = byte(depth)
	if depth > 0 {
		return wait(there, depth-1) + local[(depth+1)%64]
	}
	there <- true
	select {}
}

const mapSize = 96 * mb

func mmap(fd int, flags int) []byte {
	b, err := syscall.Mmap(fd, 0, mapSize, syscall.PROT_READ|syscall.PROT_WRITE, flags)
	if err != nil {
		panic(err)
	}
	return b
}

func openFile(name string) *os.File {
	f, err := os.Create(filepath.Join(os.Args[2], name))
	if err != nil {
		panic(err)
	}
	block := written(mb)
	for range mapSize / mb {
		if _, err := f.Write(block); err != nil {
			panic(err)
		}
	}
	kept = append(kept, block)
	return f
}

func mapFile(name string, flags int) {
	f := openFile(name)
	b := mmap(int(f.Fd()), flags)
	for i := 0; i < len(b); i += 4096 {
		table[0] += b[i]
	}
	f.Close()
}

func main() {
	kinds[os.Args[1]]()
	time.Sleep(20 * time.Millisecond)
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
	runtime.KeepAlive(kept)
	runtime.KeepAlive(objects)
}
