// Package release reads from the source of a release of Go what of it can be switched: experiments of a build
// (GOEXPERIMENT), with the functions of the library that depend on them, and settings of a program (GODEBUG) whose
// default a release changed. It knows no name of any.
package release
