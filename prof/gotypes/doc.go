// Package gotypes reads from a program's file how it lays out its memory: the global variables, the types with their
// fields, the variables of functions and the closures. It reads DWARF as Go's linker writes it
// (GOROOT/src/cmd/link/internal/ld/dwarf.go) from ELF and Mach-O files. From a program that was linked with -ldflags=-w
// it has the names of global variables alone, and of a stripped one nothing: Missing says so.
package gotypes
