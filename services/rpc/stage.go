package rpc

import (
	"net"

	"github.com/gohone/hone/services/internal/ladder"
)

// Stage is one rung of the ladder, for servers and clients.
type Stage struct {
	// Name is what Config.Stage, ClientConfig.Stage and the programs' -stage take.
	Name string
	// Change is what it changes against the stage before it, in one phrase.
	Change string
	// PerCaller says that a Client has a single connection for one call at a time, so
	// that every caller wants a Client of its own.
	PerCaller bool
	// Serve accepts connections on ln and answers them until ln is closed, in the name
	// of s, which counts and bounds them. It is for Server.Serve to call.
	Serve func(s *Server, ln net.Listener) error
	// connect makes a client's connections; nothing is dialled yet.
	connect func(cfg *ClientConfig) transport
}

// DefaultStage is the stage of a configuration that names none.
const DefaultStage = "pipelined"

// Stages is the ladder, lowest rung first.
var Stages = []Stage{
	{
		Name:      "naive",
		Change:    "a connection per caller, one write per field, fresh buffers, codecs of the libraries",
		PerCaller: true,
		Serve:     serveNaive,
		connect:   connectNaive,
	},
	{
		Name:    "pooled",
		Change:  "a pool of connections and buffers, one read and one write per frame",
		Serve:   servePooled,
		connect: connectPooled,
	},
	{
		Name:    "pipelined",
		Change:  "few connections with many calls outstanding, decoded and written in batches, codecs by hand",
		Serve:   servePipelined,
		connect: connectPipelined,
	},
}

// String is the stage's name.
func (s Stage) String() string { return s.Name }

// LookupStage finds a stage by name; the error names the known ones.
func LookupStage(name string) (Stage, error) { return ladder.Lookup(Stages, name) }
