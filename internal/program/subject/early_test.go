package subject

import (
	"strings"
	"testing"
)

// A program that ends before it is ready says why, in the words of the library that reads its arguments; the hint is
// about that.
func TestHintsForProgramsThatEndEarly(t *testing.T) {
	cobra := "Usage:\n  app [command]\n\nAvailable Commands:\n  completion  Generate the script\n  help        Help about any command\n" +
		"  migrate     Migrate the database\n  serve       Serve the API\n\nFlags:\n  -h, --help   help for app\n"
	for output, want := range map[string]string{
		"listen tcp :8080: bind: address already in use":                                    "port 8080 is in use by another program",
		"2026/11/29 08:00:00 listen tcp 127.0.0.1:9000: bind: address already in use\nexit": "port 9000 is in use by another program",
		"Error: EADDRINUSE": "the port that it listens on is in use by another program",
		"flag provided but not defined: -addres\nUsage of app:\n  -addr string\n": "it does not know the flag -addres: ",
		"Error: unknown flag: --prot\n" + cobra:                                   "it does not know the flag --prot: check its arguments, which go after --, for example -- serve",
		"Error: unknown shorthand flag: 'x' in -x\n":                              "it does not know the flag x",
		"Error: unknown command \"srve\" for \"app\"\n" + cobra:                   "it does not know the command srve: its arguments go after --, for example -- serve",
		"flag needs an argument: -addr\nUsage of app:\n":                          "its flag -addr needs a value: arguments go after --, for example -- -addr VALUE",
		"Error: required flag(s) \"config\" not set\n" + cobra:                    "its flag --config is missing: arguments go after --, for example -- --config VALUE",
		"NAME:\n   app\nUSAGE:\n   app [options]\nRequired flag \"db\" not set":   "its flag --db is missing",
		"app: error: required flag --listen not provided, try --help":             "its flag --listen is missing",
		"the required flag `-c, --config' was not specified":                      "its flag -c is missing",
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
		"":                           "",
		"listening on :8080":         "",
		"disk usage: 80 %; stopping": "",
		"ERROR missing peer":         "",
	} {
		got := earlyHint(output)
		if want == "" && got != "" || !strings.HasPrefix(got, want) && !strings.Contains(got, want) {
			t.Errorf("%q:\n  %q, want %q", output, got, want)
		}
	}
}

func FuzzEarlyHint(f *testing.F) {
	f.Add("Available Commands:\n  serve  Serve\n")
	f.Add("listen tcp :1: bind: address already in use")
	f.Fuzz(func(t *testing.T, output string) {
		if hint := earlyHint(output); strings.HasSuffix(hint, "-- ") {
			t.Errorf("%q: %q", output, hint)
		}
	})
}
