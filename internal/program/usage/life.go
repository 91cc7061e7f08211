package usage

import (
	"os"
	"path/filepath"
)

// Life is what all processes of a subject used together, from the start of the first to the end of the last one.
type Life struct {
	// Counters have the CPU time in microseconds and without a part for children. Calls are those that the kernel
	// handed on.
	Counters
	// Known says that the guard lived to tell.
	Known bool
	// Left is what stood in the directory for {dir} and in the subject's TMPDIR at the end.
	Left Files
}

// Files are files in directories.
type Files struct {
	Count int
	Bytes int64
	// More says that there were too many to look at all of them.
	More bool
}

// mostFiles is how many files are looked at: some 30 ms of looking.
const mostFiles = 10_000

// FilesBelow counts the files in directories, without following links. An empty name is not a directory.
func FilesBelow(dirs ...string) (all Files) {
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		_ = filepath.WalkDir(dir, func(_ string, entry os.DirEntry, err error) error {
			switch {
			case all.Count == mostFiles:
				all.More = true
				return filepath.SkipAll
			case err != nil || entry.IsDir():
				return nil
			}
			all.Count++
			if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
				all.Bytes += info.Size()
			}
			return nil
		})
	}
	return all
}
