package pprofweb

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/google/pprof/driver"
	"github.com/google/pprof/profile"
)

// errClosed is what pprof gets when it asks for anything but the profile.
var errClosed = errors.New("not available in hone's pages")

// fetcher hands over the profile, whatever it is called; without one pprof would look for
// the name in files and on the network.
type fetcher struct{ profile *profile.Profile }

func (f fetcher) Fetch(string, time.Duration, time.Duration) (*profile.Profile, string, error) {
	return f.profile, "", nil // what has no address is local: pprof keeps no copy of it in a file
}

// flags are pprof's command line: serve one profile, with all settings as they are.
type flags struct{}

func (flags) Bool(name string, def bool, _ string) *bool {
	def = def || name == "no_browser"
	return &def
}

func (flags) Int(_ string, def int, _ string) *int             { return &def }
func (flags) Float64(_ string, def float64, _ string) *float64 { return &def }

func (flags) String(name, def, _ string) *string {
	switch name {
	case "http":
		def = "localhost:1" // it is not listened on; to choose a port itself, pprof would open one
	case "symbolize":
		def = "none"
	}
	return &def
}

func (flags) StringList(string, string, string) *[]*string { return new([]*string) }
func (flags) ExtraUsage() string                           { return "" }
func (flags) AddExtraUsage(string)                         {}
func (flags) Parse(func()) []string                        { return []string{"profile"} }

// silentUI drops messages: pprof puts those of a request on its page as well.
type silentUI struct{}

func (silentUI) ReadLine(string) (string, error)     { return "", io.EOF }
func (silentUI) Print(...any)                        {}
func (silentUI) PrintErr(...any)                     {}
func (silentUI) IsTerminal() bool                    { return false }
func (silentUI) WantBrowser() bool                   { return false }
func (silentUI) SetAutoComplete(func(string) string) {}

// noSymbols leaves the profile as it is: Go writes profiles with their symbols.
type noSymbols struct{}

func (noSymbols) Symbolize(string, driver.MappingSources, *profile.Profile) error { return nil }

// noObjects opens no program.
type noObjects struct{}

func (noObjects) Open(string, uint64, uint64, uint64, string) (driver.ObjFile, error) {
	return nil, errClosed
}

func (noObjects) Disasm(string, uint64, uint64, bool) ([]driver.Inst, error) {
	return nil, errClosed
}

// noWriter writes no file.
type noWriter struct{}

func (noWriter) Open(string) (io.WriteCloser, error) { return nil, errClosed }

// noNetwork makes no request.
type noNetwork struct{}

func (noNetwork) RoundTrip(*http.Request) (*http.Response, error) { return nil, errClosed }

var (
	_ driver.Fetcher    = fetcher{}
	_ driver.FlagSet    = flags{}
	_ driver.UI         = silentUI{}
	_ driver.Symbolizer = noSymbols{}
	_ driver.ObjTool    = noObjects{}
	_ driver.Writer     = noWriter{}
)
