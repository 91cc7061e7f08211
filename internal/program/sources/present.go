package sources

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Below is the way from root, a directory, to the file of the present checkout that a profile names: slash-separated.
// It is false for files that are not of the main module, that are gone, or that lie outside of root.
func (f *Finder) Below(root, name string) (way string, ok bool) {
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	rel, ok := f.inside(name)
	if root, err := filepath.EvalSymlinks(root); ok && err == nil && isSource(name) {
		for _, dir := range f.moduleDirs() {
			file, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(rel)))
			if err != nil {
				continue
			}
			way, err := filepath.Rel(root, file)
			if info, gone := os.Stat(file); err == nil && gone == nil && info.Mode().IsRegular() &&
				filepath.IsLocal(way) {
				return filepath.ToSlash(way), true
			}
		}
	}
	return "", false
}

// moduleDirs are where the module is now: in the present checkout, or else where the user's own hone built it.
func (f *Finder) moduleDirs() (dirs []string) {
	if here := moduleRoot(f.here, f.program.Module); here != "" {
		dirs = append(dirs, here)
	}
	if f.program.Own && f.program.ModuleDir != "" {
		dirs = append(dirs, f.program.ModuleDir)
	}
	return dirs
}

// Pinned says that Source returns the text that was built, from the commit, for files of the main module. Otherwise it
// returns the present text.
func (f *Finder) Pinned() bool {
	if f.program.Commit == "" || f.program.Dirty {
		return false
	}
	_, err := f.commit()
	return err == nil
}
