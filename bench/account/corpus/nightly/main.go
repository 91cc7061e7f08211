// Command nightly had a large job, which is done. Nothing has needed its memory since.
//
// planted: free spans, 66 MB
// env: GOGC=off GOMEMLIMIT=400MiB
package main

import (
	"bytes"
	"runtime"
	"slices"

	"resident/stay"
)

type shard struct{ rows [][]byte }

var checksum int

func job() {
	var shards []shard
	for i := range 18 {
		var s shard
		for j := range 250 {
			s.rows = append(s.rows, bytes.Repeat([]byte{byte(i + j)}, 16_000))
		}
		shards = append(shards, s)
	}
	for _, s := range shards {
		slices.SortFunc(s.rows, bytes.Compare)
		checksum += int(s.rows[0][0])
	}
}

func main() {
	stay.Program{Plant: func() {
		job()
		runtime.GC()
		runtime.GC()
	}}.Main()
}
