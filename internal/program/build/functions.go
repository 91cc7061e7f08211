package build

import (
	"debug/elf"
	"fmt"
)

// FunctionsOf are the functions of an executable (ELF) with their sizes in bytes. A stripped one has none, which is an
// error.
func FunctionsOf(path string) (map[string]uint64, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read functions: %w", err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("read functions of %s: %w", path, err)
	}
	all := map[string]uint64{}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			all[s.Name] += s.Size
		}
	}
	return all, nil
}
