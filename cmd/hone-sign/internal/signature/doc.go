// Package signature signs a text with the identity of a CI job, by Sigstore, and checks such signatures.
//
//   - token.go: the identity of the job
//   - sign.go: a key that lives for one signature, a certificate for it, an entry in a public log, a time stamp
//   - check.go: all of them against the trusted root
package signature
