package framed

import "net"

// Stage is one rung of the ladder.
type Stage struct {
	// Name is what Config.Stage and the program's -stage take.
	Name string
	// Change is what it changes against the stage before it, in one phrase.
	Change string
	// PublishedRateHz is the published throughput in requests/s, on 4 cores and 8 GB
	// with 100 connections that send without waiting; 0 where none was published.
	PublishedRateHz float64
	// Serve accepts connections on ln and answers them until ln is closed, in the name
	// of s, which counts and bounds them. It is for Server.Serve to call.
	Serve func(s *Server, ln net.Listener) error
}

// DefaultStage is the stage of a Config that names none.
const DefaultStage = "reactor"

// Stages is the ladder, lowest rung first. The published rate of buffered was taken
// with the code of buffered-noflush, and that of pooled with the same bug: the client
// never waited for an answer, so that the bug did not show.
var Stages = []Stage{
	{
		Name:            "raw",
		Change:          "each field is read from and written to the socket by itself",
		PublishedRateHz: 185_000,
		Serve:           serveRaw,
	},
	{
		Name:   "buffered-noflush",
		Change: "bufio reader and writer around the connection, flushed only at its end (a published bug, kept on purpose)",
		Serve:  serveBufferedNoflush,
	},
	{
		Name:            "buffered",
		Change:          "flushes whenever no further whole frame is waiting in the read buffer",
		PublishedRateHz: 270_000,
		Serve:           serveBuffered,
	},
	{
		Name:            "pooled",
		Change:          "sync.Pool for the decoded Submit",
		PublishedRateHz: 292_000,
		Serve:           servePooled,
	},
	{
		Name:   "batched",
		Change: "one read, every whole frame of it decoded in place, one write; no allocation per frame",
		Serve:  serveBatched,
	},
	{
		Name:   "reactor",
		Change: "one event loop a processor instead of a goroutine a connection; buffers by the loop (Linux)",
		Serve:  serveReactor,
	},
}

// String is the stage's name.
func (s Stage) String() string { return s.Name }
