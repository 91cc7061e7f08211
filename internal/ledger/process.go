package ledger

import (
	"fmt"
	"os"
	"strings"
)

// process names one process for ever: the PID alone is given out again. born is
// opaque and compared whole; "" means that the system does not tell.
type process struct {
	pid  int
	born string
}

func self() process {
	pid := os.Getpid()
	return process{pid: pid, born: bornOf(pid)}
}

// parseStat returns the state and the start time (in clock ticks since boot) from
// the text of /proc/PID/stat: fields 3 and 22 of proc_pid_stat(5). The program's
// name, field 2, may hold spaces and brackets, so counting starts at its last one.
func parseStat(text string) (state, start string, err error) {
	end := strings.LastIndexByte(text, ')')
	if end < 0 {
		return "", "", fmt.Errorf("read process: no name in %q", text)
	}
	fields := strings.Fields(text[end+1:])
	const stateField, startField = 0, 19 // fields 3 and 22, counted from the third
	if len(fields) <= startField {
		return "", "", fmt.Errorf("read process: %d fields after the name, want over %d", len(fields), startField)
	}
	return fields[stateField], fields[startField], nil
}
