package havlak

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed cpp
var cppSources embed.FS

// CPPStages are the programs in C++: first has the layout of the stage first, final that
// of the stage slices.
var CPPStages = []string{"first", "final"}

// ErrNoCompiler says that there is no C++ compiler on this machine.
var ErrNoCompiler = errors.New("no C++ compiler: install g++")

// BuildCPP compiles one of CPPStages into the directory dir, with g++ -O3, and returns the
// path of the program, which takes the flags of cmd/havlak but -stage. The error is
// ErrNoCompiler where there is no g++ (nor c++), or has the compiler's own words.
func BuildCPP(ctx context.Context, stage, dir string) (string, error) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		if compiler, err = exec.LookPath("c++"); err != nil {
			return "", ErrNoCompiler
		}
	}
	sources, err := os.MkdirTemp(dir, "src-")
	if err != nil {
		return "", err // says which directory
	}
	defer os.RemoveAll(sources)
	for _, name := range []string{"common.h", stage + ".cc"} {
		text, err := cppSources.ReadFile("cpp/" + name)
		if err != nil {
			return "", fmt.Errorf("unknown C++ stage %q (known: %v)", stage, CPPStages)
		}
		if err := os.WriteFile(filepath.Join(sources, name), text, 0o600); err != nil {
			return "", err
		}
	}
	program := filepath.Join(dir, "havlak-cpp-"+stage)
	cmd := exec.CommandContext(ctx, compiler, "-std=c++11", "-O3", "-Wall", "-Wextra", "-Werror", "-o", program, filepath.Join(sources, stage+".cc"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compile %s.cc: %w\n%s", stage, err, out)
	}
	return program, nil
}
