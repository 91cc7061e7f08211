package config

import "fmt"

// Name is what the file is called.
const Name = "hone.yaml"

// Version is the version of the format that this hone reads.
const Version = 1

// Position is a place in the file; both count from 1, columns in characters.
type Position struct{ Line, Column int }

func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// File is a hone.yaml that was read and holds together.
type File struct {
	// Path is absolute with symbolic links resolved; Dir is its directory, which
	// relative packages refer to. A link to a trusted file must not lend that trust to
	// the directory that the link is in.
	Path, Dir string
	// Content is the text that was read, for package trust.
	Content []byte
	// Shown is the path as messages give it.
	Shown string
	Document
}

// Document is the content. The json tags are the keys, the jsonschema tags describe them
// in editors; reader and schema both go by these types.
type Document struct {
	Version  int                `json:"version" jsonschema:"Version of this format: 1."`
	Subject  Subject            `json:"subject,omitzero" jsonschema:"How to build and start what is measured."`
	Plans    map[string]Plan    `json:"plans,omitempty" jsonschema:"Named loads. Keys are the long flags of hone run and hone compare without dashes; the plan called default applies unless --plan names another."`
	Variants map[string]Program `json:"variants,omitempty" jsonschema:"Named variants; each says what differs from subject."`
	Features map[string]Feature `json:"features,omitempty" jsonschema:"Named features of the program, each by what switches it off; hone ablate measures what they cost."`
	Gates    []Text             `json:"gates,omitempty" jsonschema:"Limits on a comparison, such as cpu<+2%; they apply unless --gate is given."`
	Accepted []Accepted         `json:"accepted,omitempty" jsonschema:"Steps of a series (hone track) that are known: hone history --new does not tell of them."`
	Baseline Text               `json:"baseline,omitzero" jsonschema:"The variant that hone compare takes as A when the command line does not name it."`
}

// Program is how to build and start a program. What is nil or empty is not given.
type Program struct {
	Package   Text            `json:"package,omitzero" jsonschema:"Main package: a directory or Go files relative to this file, an import path, an import path with @ and a released version, an executable, or ref:./directory for a git ref (ref:directory begins in the root of the repository)."`
	Args      []Text          `json:"args,omitempty" jsonschema:"Arguments of the program; {port} stands for a free port, {port2} to {port9} for others, {socket} for the path of a Unix socket, {dir} for a directory that is empty at each start."`
	Env       map[string]Text `json:"env,omitempty" jsonschema:"Environment of build and program, added to hone's own; {port}, {socket} and {dir} as in args. A variant adds to that of subject, key by key."`
	Toolchain Text            `json:"toolchain,omitzero" jsonschema:"GOTOOLCHAIN for the build, such as go1.26.8."`
	Flags     []Text          `json:"flags,omitempty" jsonschema:"Flags for go build."`
	Prepare   Command         `json:"prepare,omitzero" jsonschema:"Command to run in the package's module before the build: a list of words or one line without a shell."`
	Build     Command         `json:"build,omitzero" jsonschema:"Another name for prepare."`
	// AfterStart is build.Variant's.
	AfterStart Command `json:"after-start,omitzero" jsonschema:"Command to run once after each start, when the program is ready, to seed it or to log in: a list of words or one line without a shell. {port} is the port under load; HONE_ADDRESS, HONE_PORT, HONE_SOCKET and HONE_DIR are in its environment."`
}

// Subject is the program that is measured unless a variant is named.
type Subject struct {
	Program
	WorkDir           Text            `json:"work-dir,omitzero" jsonschema:"Directory that all variants run in, relative to this file. Without it a variant at a git ref runs in its own checkout, any other where hone is started."`
	Ready             Text            `json:"ready,omitzero" jsonschema:"What a program has to do before it is ready, besides listening: http:/PATH (answers with 2xx), http:204:/PATH, http://HOST:PORT/PATH, port:PORT, socket:PATH, file:PATH or log:REGEX (a line of its output)."`
	ReadyTimeout      Text            `json:"ready-timeout,omitzero" jsonschema:"How long a program may take until it is ready (default 15s)."`
	AfterStartTimeout Text            `json:"after-start-timeout,omitzero" jsonschema:"How long the command after-start may take (default 1m)."`
	Copy              []Text          `json:"copy,omitempty" jsonschema:"Files and directories that each start gets fresh, in a directory of its own that it runs in ({dir}): relative to work-dir, or else to this file, and inside of it."`
	Needs             map[string]Need `json:"needs,omitempty" jsonschema:"Programs that are started before the subject, in this order, and ended after it, by name."`
	Steps             []Step          `json:"steps,omitempty" jsonschema:"A sequence of requests that each connection sends, one after the other; they stand instead of the target's path."`
	Target            Text            `json:"target,omitzero" jsonschema:"What to load, such as http://127.0.0.1:{port}/ or unix:{socket}:/path."`
}

// Feature says what switches a feature of the program off: at least one of the three.
type Feature struct {
	Env  Setting `json:"env,omitzero" jsonschema:"An entry KEY=VALUE, or a list of them, for the environment of the program (not of its build)."`
	Args Setting `json:"args,omitzero" jsonschema:"An argument, or a list of them, after those of the variant."`
	Tags Setting `json:"tags,omitzero" jsonschema:"A build tag, or a list of them, added to those of the variant."`

	at Position // of its name
}

// Text is a value as it is written: text, but also a number or true and false, so that
// rate: 1k and connections: 100 need no quotes.
type Text struct {
	Value string
	At    Position
}

// Command is the words of a command; nil if there is none.
type Command struct {
	Words []string
	At    Position
}

// Plan holds the flags of one plan by their long names.
type Plan map[string]Setting

// Setting is a flag's value, or values if it is given several times.
type Setting struct {
	Values []Text
	// Key is the place of the flag's name.
	Key Position
}

// String returns the value.
func (t Text) String() string { return t.Value }

// given says whether the file holds the value at all.
func (t Text) given() bool { return t.At.Line > 0 }

// command is prepare, or its other name.
func (p Program) command() Command {
	if p.Prepare.Words != nil {
		return p.Prepare
	}
	return p.Build
}
