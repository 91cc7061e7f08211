// Package promises has what hone promises, each with the published claims that say how far it is held, and writes the
// pages that show them: docs/measured.md and the tables of both READMEs.
package promises
