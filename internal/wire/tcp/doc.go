// Package tcp holds the protocols of frames over plain TCP: tcp (any that has a length in its frames, as wire.Frame
// describes it), framed, chat and rpc.
//
// Each file is one protocol, which knows none of the others. The formats stand in the comments of their schemes. The
// way that is nearly always taken, a whole right answer, must stay free of calls (BenchmarkFramedAnswer).
package tcp
