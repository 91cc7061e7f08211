// Package web shows pages in a browser: as one file that needs nothing beside it, and by a server on this machine.
package web

import "embed"

// dist are the script and the style of all pages, made from ui by make ui.
//
//go:embed dist/hone.js dist/hone.css
var dist embed.FS
