package advice

import (
	"github.com/gohone/hone/internal/insight/facts"
)

// servesFiles takes functions whose work is to send a file, or the list of a directory.
func servesFiles(f *facts.Frame) bool {
	return f.Is("net/http.ServeFile*", "net/http.serveFile*", "net/http.ServeContent", "net/http.serveContent",
		"net/http.(*fileHandler).*", "net/http.dirList")
}

// lists takes functions that list a directory.
func lists(f *facts.Frame) bool {
	return f.Is("os.ReadDir", "io/ioutil.ReadDir", "os.(*File).Readdir", "os.(*File).ReadDir", "os.(*File).Readdirnames")
}

// looks takes functions that ask the kernel for each entry of a directory.
func looks(f *facts.Frame) bool {
	return f.Is("io/ioutil.ReadDir", "os.(*File).Readdir", "os.(*unixDirent).Info")
}

// isAnswer says whether the file or the directory that the function at a frame uses is what the request asks for: to
// open it is then the work. A file that is read as a whole by os.ReadFile is none: it may be kept.
func (v *search) isAnswer(s *facts.Stack, at int) bool {
	own := s.Own(at)
	if s.Outermost(servesFiles, own) >= 0 {
		return true
	}
	if own == len(s.Frames) || s.Frames[at].Is("os.ReadFile", "os.WriteFile") {
		return false
	}
	f := &s.Frames[own]
	switch {
	case s.Outermost(looks, own) >= 0:
		return v.File(f.File).Known() && !v.File(f.File).TakesNames(int(f.Line))
	case s.Outermost(lists, own) >= 0:
		return v.FromRequest(s, own)
	}
	for i := own; i < min(own+helpers, len(s.Frames)); i++ {
		if f := &s.Frames[i]; v.File(f.File).SendsFile(int(f.Line)) {
			return true
		}
	}
	return v.File(f.File).ReturnsFile(int(f.Line)) && v.served(s, s.Own(own+1))
}

// served says whether one of the user's functions from a frame on lets net/http serve a file, on whatever stack: what a
// function that it calls has opened for it.
func (v *search) served(s *facts.Stack, from int) bool {
	callers := map[string]bool{}
	for own := from; own < len(s.Frames) && len(callers) < helpers && !s.HandsOn(own); own = s.Own(own + 1) {
		callers[s.Frames[own].Function] = true
	}
	for i := range v.Stacks {
		other := &v.Stacks[i]
		at := other.Find(servesFiles)
		if at < 0 {
			continue
		}
		for own, n := other.Own(at), 0; own < len(other.Frames) && n < helpers; own, n = other.Own(own+1), n+1 {
			if callers[other.Frames[own].Function] {
				return true
			}
		}
	}
	return false
}

// looksAtEntries says whether a finding is of a line that asks the kernel for each entry of a directory, and takes
// their names only.
func (v *search) looksAtEntries(f *found) bool {
	for _, i := range f.stacks {
		s := &v.Stacks[i]
		if at := calls(looks)(s); at >= 0 {
			own := &s.Frames[min(s.Own(at), len(s.Frames)-1)]
			return v.File(own.File).TakesNames(int(own.Line))
		}
	}
	return false
}

// listedNames is for lists of a directory of which only names and kinds are used.
var listedNames = Remedy{
	Change: "ioutil.ReadDir, Readdir and Info ask the kernel for each entry, and only its name and its kind are used " +
		"here: os.ReadDir gives both without that.",
	Before: "entries, err := ioutil.ReadDir(dir)\nfor _, e := range entries { use(e.Name(), e.IsDir()) }",
	After:  "entries, err := os.ReadDir(dir)\nfor _, e := range entries { use(e.Name(), e.IsDir()) }",
}
