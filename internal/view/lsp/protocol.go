package lsp

// The types are those parts of the Language Server Protocol 3.17 that hone uses, under its names.

type initializeParams struct {
	RootURI          string `json:"rootUri"`
	WorkspaceFolders []struct {
		URI string `json:"uri"`
	} `json:"workspaceFolders"`
	Capabilities struct {
		Workspace struct {
			CodeLens struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"codeLens"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

type initializeResult struct {
	Capabilities serverCapabilities `json:"capabilities"`
	ServerInfo   serverInfo         `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type serverCapabilities struct {
	TextDocumentSync textDocumentSync `json:"textDocumentSync"`
	CodeLensProvider struct{}         `json:"codeLensProvider"`
}

// textDocumentSync has no "change": the text is read when it is on the disk.
type textDocumentSync struct {
	OpenClose bool `json:"openClose"`
	Save      bool `json:"save"`
}

type documentParams struct {
	TextDocument struct {
		URI string `json:"uri"`
	} `json:"textDocument"`
}

type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range    textRange `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
}

// Severities of diagnostics.
const (
	severityWarning     = 2
	severityInformation = 3
)

type codeLens struct {
	Range   textRange `json:"range"`
	Command command   `json:"command"`
}

// command is one with a title alone: an editor shows it, and has nothing to execute.
type command struct {
	Title   string `json:"title"`
	Command string `json:"command"`
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// position counts from 0; Character counts UTF-16 code units.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type logMessageParams struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

const logWarning = 2
