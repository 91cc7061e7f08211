// Package objfile reads the archives of packages that go build has compiled: the symbols of their object files, with
// what each refers to.
//
// The format is that of GOROOT/src/cmd/internal/goobj/objfile.go, whose magic is "\x00go120ld" since Go 1.20. It is an
// internal format of the toolchain: what is not as it says there is an error, and never a guess. Numbers that change
// from one Go version to the next are read from the sources of the toolchain (Toolchain).
package objfile
