package turns

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
)

// Living processes are built with a copy of one file of the testing package. It differs in two
// ways where turnsEnv is set in the environment:
//
//   - It collects no garbage before each run of a benchmark. That is three times in a turn, and takes
//     some milliseconds, as much as the turn itself. In a living process the garbage of earlier turns is
//     that of the same benchmark, and the collector takes its usual share.
//   - It moves the thread of the benchmark to the CPU that cpuEnv names, the same on both sides of a block.
//     Without that the scheduler leaves A on one CPU and B on another for as long as they live, and a
//     difference between these CPUs is taken for one between A and B.
const (
	collects = "\truntime.GC()\n"
	runs     = "\tb.benchFunc(b)\n"
	imports  = "\n\t\"os\"\n"

	turnsEnv = "HONE_BENCH_TURNS"
	// cpuEnv is the number of a CPU among those that the process may run on, modulo how many they are.
	cpuEnv = "HONE_BENCH_CPU"
	// MostCPUs is how many CPUs Linux's masks of a thread have room for.
	MostCPUs = 1024

	collectsUnless = "\tif os.Getenv(\"" + turnsEnv + "\") == \"\" {\n\t\truntime.GC()\n\t}\n"
)

// testingForTurns returns the file of the testing package of a side's toolchain that is to be
// replaced, and writes what replaces it into temp. Both are empty where the file is not as it is
// known: the testing package then stays as it is.
func testingForTurns(ctx context.Context, s *sources.Side, temp string) (path, by string, err error) {
	root, err := sources.GoCommand(ctx, s, func(why error) error { return why }, "env", "GOROOT")
	if err != nil {
		return "", "", err
	}
	path = filepath.Join(strings.TrimSpace(root), "src", "testing", "benchmark.go")
	source, err := os.ReadFile(path)
	if err != nil {
		return "", "", nil
	}
	text, known := forTurns(string(source))
	if !known {
		return "", "", nil
	}
	by = filepath.Join(temp, "hone_testing_benchmark.go")
	if err := os.WriteFile(by, []byte(text), 0o600); err != nil {
		return "", "", fmt.Errorf("write the testing package's file: %w", err)
	}
	return path, by, nil
}

// forTurns is the file of the testing package as living processes take it; known is false where it is not
// as it is known.
func forTurns(text string) (changed string, known bool) {
	for _, once := range []string{collects, runs, imports} {
		if strings.Count(text, once) != 1 {
			return "", false
		}
	}
	if strings.Contains(text, "\t\"syscall\"\n") || strings.Contains(text, "\t\"unsafe\"\n") {
		return "", false
	}
	changed = strings.Replace(text, collects, collectsUnless, 1)
	if moveText == "" {
		return changed, true
	}
	changed = strings.Replace(changed, imports, imports+"\t\"syscall\"\n\t\"unsafe\"\n", 1)
	// Behind the start of the timer: that reads memory statistics, which stops all threads, and the benchmark may go on in
	// another.
	return strings.Replace(changed, runs, "\thoneMove()\n"+runs, 1) + moveText, true
}

// Environ are the variables of a process whose benchmarks take turns that begin on a CPU.
func Environ(cpu int) []string {
	return []string{turnsEnv + "=1", cpuEnv + "=" + strconv.Itoa(cpu)}
}
