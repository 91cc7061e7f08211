package tlsidle

// Stage is one rung of the ladder.
type Stage struct {
	// Name is what Config.Stage and the program's -stage take.
	Name string
	// Change is what it changes against the stage before it, in one phrase.
	Change string
	// new makes the stage's engine for one server.
	new func(s *Server) engine
}

// DefaultStage is the stage of a Config that names none.
const DefaultStage = "parked"

// Stages is the ladder, lowest rung first.
var Stages = []Stage{
	{
		Name:   "nethttp",
		Change: "the standard library's server, HTTP/1.1 only",
		new:    newNetHTTP,
	},
	{
		Name:   "heldbuffer",
		Change: "own loop with a read buffer and a write buffer kept by each connection (a published problem, kept on purpose)",
		new:    newHeldBuffer,
	},
	{
		Name:   "pooled",
		Change: "buffers from a sync.Pool, only while a request is served",
		new:    newPooled,
	},
	{
		Name:   "parked",
		Change: "idle connections wait in an epoll, without a goroutine or a buffer",
		new:    newParked,
	},
}

// String is the stage's name.
func (s Stage) String() string { return s.Name }
