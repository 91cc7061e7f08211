// Package schemes turns a target as the user writes it into a protocol and a way to dial it: the list of all protocols
// (All), the options that each takes, TLS, QUIC and Unix sockets.
//
// A new protocol is a package next to this one and a row of All. Tests that load real servers stand here, since they
// enter as users do, by Parse.
package schemes
