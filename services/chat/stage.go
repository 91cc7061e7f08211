package chat

// Stage is one rung of the ladder.
type Stage struct {
	// Name is what Config.Stage and the program's -stage take.
	Name string
	// Change is what it changes against the stage before it, in one phrase.
	Change string
	// open makes what the connections of one server share and returns the function that
	// serves one of them, on a goroutine of its own. It returns io.EOF when the client
	// has ended, and a *FrameError for a bad frame; it leaves closing to the server.
	open func(s *Server) func(*peer) error
}

// DefaultStage is the stage of a Config that names none.
const DefaultStage = "final"

// Stages is the ladder, lowest rung first. buffers follows naive in its code: pooled-conn
// is nothing to build on.
var Stages = []Stage{
	{
		Name:   "naive",
		Change: "a buffer, a zlib reader, a formatted log line per message, and a zlib writer per recipient",
		open:   openNaive,
	},
	{
		Name:   "pooled-conn",
		Change: "connection objects from a sync.Pool, not reset fully (the mistaken fix, kept on purpose)",
		open:   openPooledConn,
	},
	{
		Name:   "buffers",
		Change: "one read buffer, packet, frame and log line per connection, reused",
		open:   openBuffers,
	},
	{
		Name:   "zlib-reset",
		Change: "one zlib writer and reader per worker, reset for each message",
		open:   openZlibReset,
	},
	{
		Name:   "final",
		Change: "compressed once per broadcast or stored, nothing allocated per message, bounded queues",
		open:   openFinal,
	},
}

// String is the stage's name.
func (s Stage) String() string { return s.Name }
