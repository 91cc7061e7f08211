// Package ws speaks WebSocket (RFC 6455): the upgrade, frames, messages that answer in order or by a number, and
// messages that no request asked for.
//
// dialog.go reads, upgrade.go and greeting.go come before the first request. A server's frame that breaks the RFC is
// malformed, and the connection goes.
package ws
