package main

// version is what the linker may set.
var version string

func init() { sink = append(sink, version...) }
