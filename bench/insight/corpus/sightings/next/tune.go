package main

import (
	"log"
	"os"
	"runtime/debug"
	"strconv"
)

// A setting is what the operator may change.
type setting struct {
	memoryLimit int64
	gcPercent   int
}

// The containers became smaller, so the heap may not grow as it did.
var defaults = setting{memoryLimit: 400 << 20, gcPercent: 25}

func fromEnv() setting {
	s := defaults
	if mb, err := strconv.Atoi(os.Getenv("SIGHTINGS_MB")); err == nil {
		s.memoryLimit = int64(mb) << 20
	}
	return s
}

func (s setting) apply() {
	debug.SetMemoryLimit(s.memoryLimit)
	if old := debug.SetGCPercent(s.gcPercent); old != 100 {
		log.Printf("GOGC was %d", old)
	}
}

func tune() { fromEnv().apply() }
