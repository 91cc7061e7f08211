package memory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/pprofhttp"
)

// FromStats reads what runtime.MemStats says. It has no live heap: see Classes.SetLive.
func FromStats(m *runtime.MemStats) Classes {
	c := Classes{
		Objects: m.HeapAlloc, Unused: above(m.HeapInuse, m.HeapAlloc), Free: above(m.HeapIdle, m.HeapReleased),
		Released: m.HeapReleased, Stacks: m.StackInuse, Goal: m.NextGC, GOGC: math.NaN(),
		Structures: []Piece{{spanRecords, m.MSpanSys}, {spanCaches, m.MCacheSys}, {profileBuckets, m.BuckHashSys},
			{collectorData, m.GCSys}, {threadStacks, above(m.StackSys, m.StackInuse)}, {otherRuntime, m.OtherSys}},
	}
	if m.LastGC > 0 && m.LastGC < math.MaxInt64 {
		c.Collected = time.Unix(0, int64(m.LastGC))
	}
	return c
}

// above is a without b; 0 where that is less.
func above(a, b uint64) uint64 { return a - min(a, b) }

// FromHeapPage reads heap?debug=1 of net/http/pprof: the statistics, and in the profile what of the heap lives, as an
// estimate from its samples.
func FromHeapPage(r io.Reader) (Classes, Sampled, error) {
	var m runtime.MemStats
	var live Sampled
	found := false
	values := reflect.ValueOf(&m).Elem()
	err := pprofhttp.ReadHeapPage(r, func(name, value string) error {
		// Of some it has two numbers in a line: "Stack = IN USE / SYS".
		if inUse, sys, two := strings.Cut(value, " / "); two {
			return errors.Join(setStat(values, name+"Inuse", inUse), setStat(values, name+"Sys", sys))
		}
		found = found || name == "HeapSys"
		return setStat(values, name, value)
	}, live.add)
	if err == nil && !found {
		err = fmt.Errorf("the page has no runtime.MemStats, or breaks off: is it net/http/pprof?")
	}
	return FromStats(&m), live, err
}

// setStat sets a field of runtime.MemStats; what is none, or no number, is left out.
func setStat(values reflect.Value, name, value string) error {
	f := values.FieldByName(name)
	if !f.IsValid() || f.Kind() != reflect.Uint64 {
		return nil
	}
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		return fmt.Errorf("%s of runtime.MemStats: %w", name, err)
	}
	f.SetUint(n)
	return nil
}

// Sampled is the live heap as a heap profile has it: a sample of its objects, each of which stands for others.
type Sampled struct {
	Bytes   float64
	Samples uint64
	rate    float64
}

// add takes in a line "OBJECTS: BYTES [...] @ ..."; the first one, "heap profile: ... @ heap/RATE", has the rate.
func (s *Sampled) add(line []byte) error {
	if rest, head := bytes.CutPrefix(line, []byte("heap profile: ")); head {
		_, rate, _ := bytes.Cut(rest, []byte("@ heap/"))
		if n, err := strconv.ParseUint(string(bytes.TrimSpace(rate)), 10, 53); err == nil {
			s.rate = float64(n) / 2 // it says twice the rate (GOROOT/src/runtime/pprof/pprof.go, writeHeapInternal)
		}
		return nil
	}
	head, _, _ := bytes.Cut(line, []byte(" ["))
	count, size, _ := bytes.Cut(head, []byte(": "))
	n, errCount := strconv.ParseUint(string(count), 10, 53)
	total, errSize := strconv.ParseUint(string(size), 10, 53)
	if errCount != nil || errSize != nil || n == 0 || total == 0 {
		return nil
	}
	s.Samples += n
	// An object is sampled with a chance of 1-exp(-size/rate): GOROOT/src/runtime/pprof/protomem.go, scaleHeapSample.
	chance := 1.0
	if mean := float64(total) / float64(n); s.rate > 1 {
		chance = 1 - math.Exp(-mean/s.rate)
	}
	s.Bytes += float64(total) / chance
	return nil
}
