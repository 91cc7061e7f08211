package earlyend

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/text/shellwords"
)

// A program that ends before it is ready says why, in the words of the library that reads its arguments; the hint is
// about that.
func TestHintsForProgramsThatEndEarly(t *testing.T) {
	cobra := "Usage:\n  app [command]\n\nAvailable Commands:\n  completion  Generate the script\n  help        Help " +
		"about any command\n" +
		"  migrate     Migrate the database\n  serve       Serve the API\n\nFlags:\n  -h, --help   help for app\n"
	for output, want := range map[string]string{
		"listen tcp :8080: bind: address already in use": "port 8080 is in use by " +
			"another program",
		"2026/11/29 08:00:00 listen tcp 127.0.0.1:9000: bind: address already in use\nexit": "port 9000 is in use by " +
			"another program",
		"Error: EADDRINUSE": "the port that it listens on is in use by another program",
		"flag provided but not defined: -addres\nUsage of app:\n  -addr string\n": "it does not know the flag -addres: ",
		"Error: unknown flag: --prot\n" + cobra: "it does not know the flag --prot: " +
			"check its arguments, which go after --, for example -- serve",
		"Error: unknown shorthand flag: 'x' in -x\n": "it does not know the flag x",
		"Error: unknown command \"srve\" for \"app\"\n" + cobra: "it does not know the command srve: " +
			"its arguments go after --, for example -- serve",
		"flag needs an argument: -addr\nUsage of app:\n": "its flag -addr needs a value: " +
			"arguments go after --, for example -- -addr VALUE",
		"Error: required flag(s) \"config\" not set\n" + cobra: "its flag --config is missing: " +
			"arguments go after --, for example -- --config VALUE",
		"NAME:\n   app\nUSAGE:\n   app [options]\nRequired flag \"db\" not set": "its flag --db is missing",
		"app: error: required flag --listen not provided, try --help":           "its flag --listen is missing",
		"the required flag `-c, --config' was not specified":                    "its flag -c is missing",
		"-addr is required":                                    "its flag -addr is missing",
		"missing required flag: -db":                           "its flag -db is missing",
		"panic: environment variable API_KEY not found":        "it needs the environment variable API_KEY: --env API_KEY=VALUE",
		"2026/11/29 DATABASE_URL must be set":                  "--env DATABASE_URL=VALUE",
		"$PORT is not set":                                     "--env PORT=VALUE",
		"panic: open config.yaml: no such file or directory":   "it found no file config.yaml: name the directory that it runs in with --work-dir",
		"dial tcp 127.0.0.1:5432: connect: connection refused": "nothing listens on 127.0.0.1:5432",
		"A server.\n\n" + cobra:                                "it printed its usage: arguments go after --, for example -- serve",
		"Usage of /tmp/app:\n  -addr string\n    \taddress\n":  "it printed its usage: arguments go after --",
		"usage: app [-v] FILE":                                 "it printed its usage: arguments go after --",
		"USAGE:\n   app [global options] command\n\nCOMMANDS:\n   web, w   start the web server\n   help, h  help\n": "for example -- web",
		"App does things.\n\nThe commands are:\n\n\tbuild\tcompile\n\tlist\tlist\n":                                  "for example -- build",
		"Usage: app [command]\n\nCommands:\n  client - the client\n  server - the server\n":                          "for example -- server",
		"Usage: app [command]\n\nCommands:\n  migrate: the tables\n  serve: the pages\n":                             "for example -- serve",
		"Binary was compiled with 'CGO_ENABLED=0', go-sqlite3 requires cgo to work":                                  "it needs cgo: set CGO_ENABLED=1",
		`Config File "config" Not Found in "[/etc/app]"`:                                                             "it found no file config: ",
		"load configuration: app.yaml: file doesn't exists: app.yaml":                                                "it found no file app.yaml: ",
		"config file ./app.toml does not exist":                                                                      "it found no file ./app.toml: ",
		"":                                                                                                           "",
		"listening on :8080":                                                                                         "",
		"disk usage: 80 %; stopping":                                                                                 "",
		"ERROR missing peer":                                                                                         "",
	} {
		got := Next(Ended{Output: output}).Hint
		if want == "" && got != "" || !strings.HasPrefix(got, want) && !strings.Contains(got, want) {
			t.Errorf("%q:\n  %q, want %q", output, got, want)
		}
	}
}

// A program that does not find a file is told where the module has it, or what is like it.
func TestHintsForFilesThatAreElsewhere(t *testing.T) {
	root := t.TempDir()
	for _, file := range []string{"go.mod", "cmd/app/app.yaml", "conf/site.toml", "deploy/db.example.json",
		"vendor/x/none.yaml"} {
		at := filepath.Join(root, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for output, want := range map[string]string{
		"load configuration: app.yaml: file doesn't exists": "--work-dir " + filepath.Join(root, "cmd/app"),
		"open conf/site.toml: no such file or directory":    "it found no file conf/site.toml: name the directory",
		"open app/app.yaml: no such file or directory":      "--work-dir " + filepath.Join(root, "cmd"),
		`Config File "site" Not Found in "[/etc]"`: "there is " + filepath.Join(root, "conf/site.toml") +
			": name it in",
		"open /etc/app/app.yaml: no such file or directory": "there is " + filepath.Join(root, "cmd/app/app.yaml") +
			": name it in",
		"open db.json: no such file or directory": "there is " +
			filepath.Join(root, "deploy/db.example.json"),
		"open none.yaml: no such file or directory": "it found no file none.yaml: name the directory",
	} {
		if got := Next(Ended{Output: output, Dir: root}).Hint; !strings.Contains(got, want) {
			t.Errorf("%q:\n  %q, want %q", output, got, want)
		}
	}
}

// The flag that a program lacks is found in its usage, by the words of its complaint.
func TestHintsForFlagsOfAUsage(t *testing.T) {
	urfave := "NAME:\napp\nFLAGS:\n--listener value  127.0.0.1:8080 (default: \"127.0.0.1:8080\") [$LISTENER]\n" +
		"--provider value  s3|gdrive|local [$PROVIDER]\n--basedir value  path to storage [$BASEDIR]\n--help, -h  show help\n"
	goFlags := "Usage:\n  app [OPTIONS]\n\nApplication Options:\n  -l, --listen=        listen on [$LISTEN]\n" +
		"      --docker.enabled  enable docker pro-\n\n      vider [$DOCKER_ENABLED]\n      --static.enabled  enable static provider\n" +
		"      --mgmt.enabled    enable management API\n      --logger.enabled  enable log\n"
	standard := "Usage of app:\n  -db string\n    \taddress of the database\n  -v\tsay more\n  -listen-address addr\n    \twhere to listen\n"
	cobra := "Flags:\n  -c, --config string   config file\n      --tls             serve TLS\n  -h, --help            help for app\n"
	for _, c := range []struct{ output, usage, want string }{
		{"2026/11/29 16:52:09 Provider not set or invalid.\n", urfave,
			"a flag may be missing, by its --help --provider (value s3|gdrive|local [$PROVIDER]): arguments go after --, " +
				"for example -- --provider VALUE"},
		{"basedir not set.", urfave, "for example -- --basedir VALUE"},
		{"[ERROR] proxy failed, failed to make providers: no providers enabled\n", goFlags,
			"one of --docker.enabled, --static.enabled: arguments go after --, for example -- --docker.enabled"},
		{"fatal: no db given", standard,
			"-db (string address of the database): arguments go after --, for example -- -db VALUE"},
		{"need a listen address", standard, "for example -- -listen-address VALUE"},
		{"no config", cobra, "for example -- --config VALUE"},
		{"TLS is off, and the policy refuses that", cobra, "for example -- --tls"},
		{"panic: no config\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/tls/main.go:4 +0x1d\n", cobra,
			"-- --config VALUE"},
		{"no such thing as happiness", cobra, ""},
		{"help", cobra, ""},
		{"", cobra, ""},
		{"Provider not set", "", ""},
	} {
		got := NextFlag(Ended{Last: LastLine(c.output, "listening\n")}, c.usage).Hint
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%q:\n  %q, want %q", c.output, got, c.want)
		}
	}
}

// Where the README starts the program with the flag or command that is missing, its arguments are the example.
func TestHintsTakeExamplesOfTheREADME(t *testing.T) {
	readme := "# Share\n\n    go run main.go --provider=local --listener :8080 \\\n       --basedir=/tmp/\n\n" +
		"Or `share --provider s3 --bucket <BUCKET>`; see `share --help`.\n\n```\n$ share serve --port $PORT\n" +
		"$ ./share serve -addr ':80 # here' # comment\n$ docker run share --rules x\n" +
		"share --rules 'a,(.*),$1' --token YOUR_TOKEN\n" +
		"SHARE=1 share --quiet\nother --provider none\nshare --log x | tee\n```\n"
	root := t.TempDir()
	b := &build.Binary{Dir: filepath.Join(root, "cmd", "share"), Package: "example.com/x/cmd/share",
		Module: "example.com/x", Path: "/tmp/A/share"}
	files := map[string]string{"go.mod": "module example.com/x", "README.md": readme,
		"cmd/share/main.go": "package main"}
	for file, text := range files {
		at := filepath.Join(root, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	starts := ReadmeStarts(b)
	want := [][]string{{"--provider=local", "--listener", ":8080", "--basedir=/tmp/"}, {"serve", "-addr", ":80 # here"}}
	if !reflect.DeepEqual(starts, want) {
		t.Errorf("the README starts it with %q, want %q", starts, want)
	}
	for output, want := range map[string]string{
		"basedir not set":                          "-- --provider=local --listener :8080 --basedir=/tmp/",
		"-provider is required":                    "(from its README) -- --provider=local --listener :8080 --basedir=/tmp/",
		"Usage:\n\nCommands:\n  serve  serve it\n": "for example (from its README) -- serve -addr ':80 # here'",
		"required flag \"rules\" not set":          "for example -- --rules VALUE",
	} {
		of := Ended{Output: output, Last: output, Starts: starts}
		if got := cmp.Or(Next(of).Hint, NextFlag(of, "--basedir value  path\n").Hint); !strings.HasSuffix(got, want) {
			t.Errorf("%q:\n  %q, want %q", output, got, want)
		}
	}
}

func FuzzReadmeStarts(f *testing.F) {
	f.Add("go run main.go --provider=local \\\n --basedir /tmp\n`app serve`")
	f.Fuzz(func(t *testing.T, text string) {
		for _, args := range startsIn(text, []string{"app"}) {
			if words, err := shellwords.Split(shellwords.Join(args)); err != nil || !slices.Equal(words, args) {
				t.Errorf("%q: %q is read as %q, %v", text, args, words, err)
			}
		}
	})
}

func FuzzFlagHint(f *testing.F) {
	f.Add("Provider not set", "--provider value  s3|local [$PROVIDER]\n")
	f.Add("no db", "Usage of app:\n  -db string\n    \taddress\n")
	f.Fuzz(func(t *testing.T, output, usage string) {
		hint := NextFlag(Ended{Last: LastLine(output, "")}, usage).Hint
		if hint != "" && !strings.Contains(hint, "-- -") || strings.Contains(hint, "\n") {
			t.Errorf("%q, %q: %q", output, usage, hint)
		}
	})
}

func FuzzEarlyHint(f *testing.F) {
	f.Add("Available Commands:\n  serve  Serve\n")
	f.Add("listen tcp :1: bind: address already in use")
	f.Fuzz(func(t *testing.T, output string) {
		if hint := Next(Ended{Output: output}).Hint; strings.HasSuffix(hint, "-- ") {
			t.Errorf("%q: %q", output, hint)
		}
	})
}

// hone tries what needs no choice of the user: a command that serves, and what the README has for the flag that is
// missing. It tries no value of its own, and no command that may do anything else.
func TestStepsThatNeedNoChoice(t *testing.T) {
	starts := [][]string{{"--provider=local", "--basedir", "/tmp"}, {"migrate", "--all"}, {"serve", "-v"}}
	for _, c := range []struct {
		output string
		starts [][]string
		want   []string
	}{
		{"Usage:\n\nCommands:\n  serve  serve it\n", nil, []string{"serve"}},
		{"Usage:\n\nCommands:\n  serve  serve it\n", starts, []string{"serve", "-v"}},
		{"Usage:\n\nCommands:\n  migrate  the tables\n", nil, nil},
		{"Usage:\n\nCommands:\n  migrate  the tables\n", starts, nil},
		{"required flag \"provider\" not set", starts, []string{"--provider=local", "--basedir", "/tmp"}},
		{"required flag \"provider\" not set", nil, nil},
		{"usage: app [-v] FILE", starts, nil},
	} {
		if got := Next(Ended{Output: c.output, Starts: c.starts}).Args; !slices.Equal(got, c.want) {
			t.Errorf("%q with %q: %q, want %q", c.output, c.starts, got, c.want)
		}
	}
}
