package memory

import (
	"strings"
)

// kind is what a mapping is for.
type kind int

const (
	anonymous  kind = iota // memory that neither the Go heap nor a file has
	arena                  // the Go heap: objects, stacks, free pages
	structures             // the runtime's, by their name
	program                // the executable: text, data, variables
	library                // a shared library
	file                   // another file
	shared                 // memory that processes can share
	stack                  // of the first thread, and the kernel's pages
)

// goNames begin the names that the runtime gives its mappings, where the kernel keeps them (Go 1.25,
// CONFIG_ANON_VMA_NAME; GOROOT/src/runtime/set_vma_name_linux.go).
const goNames = "[anon: Go: "

// kindsOf tells what each mapping is for; executable is the path of /proc/PID/exe.
func kindsOf(all []Mapping, executable string) []kind {
	kinds := make([]kind, len(all))
	code := map[uint64]bool{} // files that are executed
	for _, m := range all {
		if m.Inode != 0 && strings.Contains(m.Perms, "x") {
			code[m.Inode] = true
		}
	}
	for i, m := range all {
		kinds[i] = kindOf(m, executable, code)
		// The variables without a value (.bss) have no file, and follow those that have one.
		if i > 0 && m.unnamed() && kinds[i-1] == program && all[i-1].Inode != 0 && all[i-1].End == m.Start {
			kinds[i] = program
		}
	}
	for _, i := range arenas(all, kinds) {
		kinds[i] = arena
	}
	return kinds
}

func kindOf(m Mapping, executable string, code map[uint64]bool) kind {
	switch name := strings.TrimSuffix(m.Path, " (deleted)"); {
	case name == "":
		return anonymous
	case strings.HasPrefix(name, goNames+"heap]"):
		return arena
	case strings.HasPrefix(name, goNames):
		return structures
	case name[0] == '[':
		switch {
		case strings.HasPrefix(name, "[anon_shmem:"):
			return shared
		case name == "[heap]", strings.HasPrefix(name, "[anon:"):
			return anonymous
		}
		return stack
	case m.Path == executable || name == strings.TrimSuffix(executable, " (deleted)"):
		return program
	case name == "/dev/zero" && m.private():
		return anonymous
	case name == "/dev/zero", strings.HasPrefix(name, "/SYSV"), strings.HasPrefix(name, "/memfd:"),
		strings.HasPrefix(name, "/dev/shm/"):
		return shared
	case code[m.Inode]:
		return library
	}
	return file
}

// arenaSize is the size to which the Go heap of 64-bit systems is aligned (GOROOT/src/runtime/malloc.go,
// heapArenaBytes); farFromStack is how far it lies at least below the stack and all that mmap places by itself: the
// runtime asks for addresses under 1<<46 on amd64, of 1<<47, and leaves as much on arm64 (mallocinit).
const (
	arenaSize    = 64 << 20
	farFromStack = 1 << 42
)

// arenas are the mappings of the Go heap by their addresses, where they have no names: whole arenas of anonymous memory,
// some of it without access since it is only reserved, far from where the kernel places what it chooses the place of. A
// process without such has them wherever they are aligned: so do the arenas of the C library's malloc.
func arenas(all []Mapping, kinds []kind) (found []int) {
	named := false
	var stackAt uint64
	for i, m := range all {
		named = named || kinds[i] == arena
		if m.Path == "[stack]" {
			stackAt = m.Start
		}
	}
	if named {
		return nil
	}
	var near []int
	for i := 0; i < len(all); {
		end := i + 1
		if !all[i].unnamed() || kinds[i] != anonymous {
			i = end
			continue
		}
		for end < len(all) && all[end].unnamed() && all[end].Start == all[end-1].End {
			end++
		}
		if all[i].Start%arenaSize == 0 && all[end-1].End%arenaSize == 0 {
			into := &near
			if all[end-1].End+farFromStack < stackAt {
				into = &found
			}
			for ; i < end; i++ {
				*into = append(*into, i)
			}
		}
		i = end
	}
	if len(found) == 0 {
		return near
	}
	return found
}
