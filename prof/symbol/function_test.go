package symbol

import "testing"

func TestFunctionNames(t *testing.T) {
	const module = "myservice/foo"
	const hash = "b308fcbbe95b09ccff8b0e8b3af14f6eb2dd6a89072f628e34a1284676c70c46"
	for _, c := range []struct {
		function, path, short string
		user                  bool
	}{
		{"main.main", "main", "main.main", true},
		{"main.(*server).loop.func1", "main", "main.(*server).loop.func1", true},
		{"main.Map[...]", "main", "main.Map[...]", true},
		{"net.(*conn).Read", "net", "net.(*conn).Read", false},
		{"net/http.(*conn).serve", "net/http", "http.(*conn).serve", false},
		{"internal/runtime/syscall/linux.Syscall6", "internal/runtime/syscall/linux", "linux.Syscall6", false},
		{"vendor/golang.org/x/net/http2/hpack.(*Encoder).WriteField", "vendor/golang.org/x/net/http2/hpack",
			"hpack.(*Encoder).WriteField", false},
		{"golang.org/x/net/http2.(*Framer).ReadFrame", "golang.org/x/net/http2", "http2.(*Framer).ReadFrame", true},
		{"gopkg.in/yaml%2ev3.Unmarshal", "gopkg.in/yaml.v3", "yaml%2ev3.Unmarshal", true},
		{"slices.SortFunc[go.shape.[]example.com/a/b.T,go.shape.int]", "slices",
			"slices.SortFunc[go.shape.[]example.com/a/b.T,go.shape.int]", false},
		{"example.com/a/b.Map[go.shape.int,net/http.Header].func1", "example.com/a/b",
			"b.Map[go.shape.int,net/http.Header].func1", true},
		{"google.golang.org/grpc.(*GenericServerStream[go.shape." + hash + ",go.shape." + hash + "]).Send",
			"google.golang.org/grpc", "grpc.(*GenericServerStream[...,...]).Send", true},
		{"myservice/foo.run", "myservice/foo", "foo.run", true},
		{"myservice/foo/store.(*db).get", "myservice/foo/store", "store.(*db).get", true},
		{"myservice/foobar.run", "myservice/foobar", "foobar.run", false},
		{"memeqbody", "", "memeqbody", false},
		{"type:.eq.example.com/a.T", "", "a.T", false},
		{"go:buildid", "", "go:buildid", false},
		{"", "", "", false},
	} {
		if got := PackagePath(c.function); got != c.path {
			t.Errorf("PackagePath(%q) = %q, want %q", c.function, got, c.path)
		}
		if got := Short(c.function); got != c.short {
			t.Errorf("shortFunction(%q) = %q, want %q", c.function, got, c.short)
		}
		if got := IsUser(c.function, module); got != c.user {
			t.Errorf("isUser(%q) = %v, want %v", c.function, got, c.user)
		}
	}
}

func TestModuleWithoutDotIsTheUsersOnlyWhenNamed(t *testing.T) {
	if IsUser("myservice/foo.run", "") {
		t.Error("without the module, the path is that of a standard package")
	}
	if !IsUser("myservice/foo.run", "myservice/foo") {
		t.Error("the main module is the user's")
	}
}

func TestRawSyscallsOnAllReleases(t *testing.T) {
	for function, want := range map[string]bool{
		"internal/runtime/syscall/linux.Syscall6": true, // Go 1.26
		"internal/runtime/syscall.Syscall6":       true,
		"runtime/internal/syscall.Syscall6":       true, // Go 1.19 to 1.22
		"syscall.Syscall":                         true,
		"syscall.RawSyscall6":                     true,
		"syscall.rawSyscallNoError":               true,
		"syscall.syscall":                         true, // macOS
		"syscall.Read":                            false,
		"syscall.read":                            false,
		"runtime.futex":                           false,
		"runtime.entersyscall":                    false,
		"golang.org/x/sys/unix.Syscall":           false,
	} {
		if got := IsRawSyscall(function); got != want {
			t.Errorf("isRawSyscall(%q) = %v, want %v", function, got, want)
		}
	}
}

func TestShortFile(t *testing.T) {
	for path, want := range map[string]string{
		"/home/me/services/framed/raw.go":     "framed/raw.go",
		"example.com/m@v1.2.3/zlib/writer.go": "zlib/writer.go",
		"framed/raw.go":                       "framed/raw.go",
		"/raw.go":                             "/raw.go",
		"raw.go":                              "raw.go",
		"":                                    "",
		`C:\Users\me\framed\raw.go`:           "framed/raw.go",
		"/usr/local/go/src/internal/runtime/syscall/linux/.s": "linux/.s",
	} {
		if got := ShortFile(path); got != want {
			t.Errorf("ShortFile(%q) = %q, want %q", path, got, want)
		}
	}
}
