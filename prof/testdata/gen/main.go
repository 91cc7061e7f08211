// Command gen makes the real profiles that the tests of package prof read: CPU
// profiles of a server that answers unbuffered and buffered, and CPU, allocation and
// mutex profiles of some busywork. Run it by hand, in the directory prof:
//
//	go build -trimpath -o /tmp/gen ./testdata/gen && /tmp/gen testdata && go test -update .
//
// -trimpath keeps the paths of the machine out of the files.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/google/pprof/profile"
)

const stretch = 2 * time.Second // 200 ticks per busy CPU

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: gen DIRECTORY")
	}
	dir := os.Args[1]
	for name, serve := range map[string]server{"raw": rawServe, "buffered": bufferedServe} {
		var operations uint64
		cpu := cpuProfile(func() { operations = underLoad(serve, stretch) })
		save(dir, name+".cpu", cpu, fmt.Sprintf("operations %d", operations))
	}

	runtime.SetMutexProfileFraction(1)
	work(stretch / 10)
	save(dir, "before.allocs", lookup("allocs"))
	save(dir, "before.mutex", lookup("mutex"))
	cpu := cpuProfile(func() { work(stretch) })
	save(dir, "after.allocs", lookup("allocs"))
	save(dir, "after.mutex", lookup("mutex"))
	save(dir, "work.cpu", cpu)
}

func cpuProfile(run func()) []byte {
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		log.Fatal(err)
	}
	run()
	pprof.StopCPUProfile()
	return b.Bytes()
}

func lookup(kind string) []byte {
	runtime.GC() // the heap profile is as of the last collection
	var b bytes.Buffer
	if err := pprof.Lookup(kind).WriteTo(&b, 0); err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}

// save writes a profile without the path of this program.
func save(dir, name string, data []byte, comments ...string) {
	p, err := profile.ParseData(data)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range p.Mapping {
		m.File = filepath.Base(m.File)
	}
	p.Comments = comments
	f, err := os.Create(filepath.Join(dir, name+".pb.gz"))
	if err != nil {
		log.Fatal(err)
	}
	if err := p.Write(f); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
}
