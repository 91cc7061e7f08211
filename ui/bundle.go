package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// file is one of the files that hone embeds.
type file struct {
	name string
	text []byte
}

// bundle makes the script and the style of the pages from the sources in dir, which has src and lib.
func bundle(dir string) ([]file, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:       dir,
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: "src/main.tsx", OutputPath: "hone"}},
		Outdir:              filepath.Join(dir, "dist"), // nothing is written there: Write is false
		Bundle:              true,
		Format:              api.FormatIIFE,
		Target:              api.ES2022,
		Charset:             api.CharsetUTF8,
		MinifyWhitespace:    true,
		MinifyIdentifiers:   true,
		MinifySyntax:        true,
		LegalComments:       api.LegalCommentsEndOfFile,
		JSX:                 api.JSXAutomatic,
		JSXImportSource:     "preact",
		NodePaths:           []string{filepath.Join(dir, "lib")},
	})
	var errs []error
	for _, m := range append(result.Errors, result.Warnings...) { // a warning is a missing import, say
		where := ""
		if l := m.Location; l != nil {
			where = fmt.Sprintf("%s:%d:%d: ", l.File, l.Line, l.Column+1)
		}
		errs = append(errs, errors.New(where+m.Text))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	var files []file
	for _, f := range result.OutputFiles {
		files = append(files, file{filepath.Base(f.Path), f.Contents})
	}
	return files, nil
}
