package track

import (
	"context"
	"go/build"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// tracksService says whether a command line tracks a service, and not benchmarks. Options and arguments that only one
// of them takes say so; else the package does: a main package without benchmarks is a service. A main package with
// benchmarks is refused until an option says which it is.
func tracksService(ctx context.Context, cmd *cobra.Command, words, rest []string) (bool, error) {
	set := spec.Of(cmd.Flags())
	ofService := set.OnlyFor(spec.ForCompare, spec.ForBench)
	ofBenchmarks := set.OnlyFor(spec.ForBench, spec.ForCompare)
	if len(rest) > 0 {
		ofService = append(ofService, "-- "+shellwords.Join(rest))
	}
	switch {
	case len(ofService) > 0 && len(ofBenchmarks) > 0:
		return false, fail.New(fail.BadInput, "%s is for benchmarks, and %s for a service", strings.Join(ofBenchmarks, ", "),
			strings.Join(ofService, ", ")).WithHint("track them one after the other: each has a series of its own")
	case len(ofService) > 0 && len(words) < 2:
		return true, nil
	case len(ofService) > 0:
		return false, fail.New(fail.BadInput, "%s is for a service, and hone track takes one of them, got %d: %q",
			strings.Join(ofService, ", "), len(words), words).WithHint("leave it out to track the benchmarks of packages")
	case len(ofBenchmarks) > 0 || len(words) > 1:
		return false, nil
	case len(words) == 1 && strings.Contains(words[0], "..."):
		return false, nil
	}
	return aloneIsService(ctx, words)
}

// aloneIsService looks at one word, or, without one, at the working directory and its hone.yaml.
func aloneIsService(ctx context.Context, words []string) (bool, error) {
	word := "."
	if len(words) == 1 {
		word = words[0]
	}
	dir := word
	if !app.IsSource(word) {
		if named, err := nameInFile(word); named || err != nil {
			return named, err
		}
		if parts, err := shellwords.Split(word); err == nil && len(parts) > 1 {
			return true, nil // a program with its arguments
		}
		if dir = dirOf(ctx, word); dir == "" {
			return false, nil // go test says what is wrong with it
		}
	}
	if source.IsGoFile(word) {
		return true, nil
	}
	pkg, err := build.ImportDir(dir, 0)
	benchmarks, _ := sources.BenchmarksIn(dir, slices.Concat(pkg.TestGoFiles, pkg.XTestGoFiles)) // the build says a fault
	switch has := len(benchmarks.Benchmarks) > 0; {
	case err == nil && pkg.Name == "main" && has:
		return false, fail.New(fail.BadInput, "%s is a program, and has benchmarks: either can be tracked", word).
			WithHint("its benchmarks: %s\nthe service: %s", spec.Join([]string{"hone", "track", word, "--bench", "."}),
				spec.Join([]string{"hone", "track", word, "-c", "10"}))
	case err == nil && pkg.Name == "main":
		return true, nil
	case len(words) > 0 || has:
		return false, nil
	}
	file, err := app.NearestFile()
	return file != nil && file.Subject.Package.Value != "", err
}

// nameInFile says whether a word names a variant of the hone.yaml here.
func nameInFile(word string) (bool, error) {
	file, err := app.NearestFile()
	return file != nil && (file.Has(word) || word == "subject"), err
}

// dirOf is the directory of an import path; empty where it is none.
func dirOf(ctx context.Context, path string) string {
	here, err := os.Getwd()
	if err != nil || strings.HasPrefix(path, "-") || strings.ContainsAny(path, "@: ") {
		return ""
	}
	out, err := source.List(ctx, here, source.Options{}, "-find", "-f", "{{.Dir}}", "--", path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
