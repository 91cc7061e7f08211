package gobench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The testing package collects the garbage before each run of a benchmark, which is three times
// in a turn of one: some milliseconds, as much as the turn itself. In a living process the
// garbage of earlier turns is that of the same benchmark, and the collector takes its usual
// share. So the copy of the testing package that test binaries are built with leaves these
// collections out where the environment says so.
const (
	collects = "\truntime.GC()\n"
	// turnsEnv is set in living processes.
	turnsEnv       = "HONE_BENCH_TURNS"
	collectsUnless = "\tif os.Getenv(\"" + turnsEnv + "\") == \"\" {\n\t\truntime.GC()\n\t}\n"
)

// withoutCollections returns the file of the testing package of a side's toolchain that is to be
// replaced, and writes what replaces it into temp. Both are empty where the file is not as it is
// known: the collections then stay, and cost time.
func withoutCollections(ctx context.Context, s *Side, temp string) (path, by string, err error) {
	root, err := goCommand(ctx, s, func(why error) error { return why }, "env", "GOROOT")
	if err != nil {
		return "", "", err
	}
	path = filepath.Join(strings.TrimSpace(root), "src", "testing", "benchmark.go")
	text, err := os.ReadFile(path)
	if err != nil || bytes.Count(text, []byte(collects)) != 1 || !bytes.Contains(text, []byte("\n\t\"os\"\n")) {
		return "", "", nil
	}
	by = filepath.Join(temp, "hone_testing_benchmark.go")
	if err := os.WriteFile(by, bytes.Replace(text, []byte(collects), []byte(collectsUnless), 1), 0o600); err != nil {
		return "", "", fmt.Errorf("write the testing package's file: %w", err)
	}
	return path, by, nil
}
