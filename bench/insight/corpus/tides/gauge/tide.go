package gauge

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
)

// Write makes a file of n records of a made-up tide.
func Write(name string, n int, phase float64) error {
	var b bytes.Buffer
	for i := range n {
		r := Record{Minute: int64(i) * 10, Level: math.Round(200*math.Sin(float64(i)/74*math.Pi+phase)) / 100, Wind: float32(i % 17)}
		if err := binary.Write(&b, binary.LittleEndian, r); err != nil {
			return err
		}
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// High returns the minutes of high water.
func High(records []Record) []int64 {
	out := []int64{}
	for i := 1; i+1 < len(records); i++ {
		if records[i].Level > records[i-1].Level && records[i].Level >= records[i+1].Level {
			out = append(out, records[i].Minute)
		}
	}
	return out
}
