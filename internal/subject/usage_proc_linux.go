package subject

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// procStat is what hone needs of /proc/PID/stat (proc_pid_stat(5)).
type procStat struct {
	name         string
	state        byte
	parent       int
	minor, major uint64 // page faults
	born         uint64 // start, in clock ticks since boot
}

func readStat(pid int) (procStat, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return procStat{}, err
	}
	return parseStat(string(text))
}

// ended says that the process has ended and only its number is left.
func (s procStat) ended() bool { return s.state == 'Z' || s.state == 'X' }

// parseStat takes the name to reach to the last parenthesis: a program may call
// itself ") R 1".
func parseStat(text string) (procStat, error) {
	open, shut := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || shut < open {
		return procStat{}, errors.New("parse stat: no name")
	}
	f := strings.Fields(text[shut+1:])
	if len(f) < 20 || len(f[0]) != 1 {
		return procStat{}, errors.New("parse stat: line too short")
	}
	parent, err1 := strconv.Atoi(f[1])
	minor, err2 := strconv.ParseUint(f[7], 10, 64)
	major, err3 := strconv.ParseUint(f[9], 10, 64)
	born, err4 := strconv.ParseUint(f[19], 10, 64)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return procStat{}, fmt.Errorf("parse stat: %w", err)
	}
	return procStat{text[open+1 : shut], f[0][0], parent, minor, major, born}, nil
}

// parseKeys calls found for each "key: number" line; lines of another form are
// skipped. A unit after the number is left to the caller, who knows it.
func parseKeys(text []byte, found func(key string, value uint64)) {
	for line := range bytes.Lines(text) {
		key, rest, ok := bytes.Cut(line, []byte{':'})
		if !ok {
			continue
		}
		first, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte{' '})
		if n, err := strconv.ParseUint(string(first), 10, 64); err == nil {
			found(string(key), n)
		}
	}
}
