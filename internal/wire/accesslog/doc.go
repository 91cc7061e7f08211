// Package accesslog reads the log of a server: requests that a load can send again, and what the log says of the load
// that they were (Fit): rate, bursts, how many at a time, clients, sizes.
//
// A line is in the common or the combined log format (Apache, nginx; more may follow), JSON (Caddy, Traefik, nginx, the
// middlewares of slog, zap and zerolog), or key=value (logfmt); a file may also be spans of OpenTelemetry, which its
// collector writes. Bytes go in, at any length in bounded memory; no file is opened here.
package accesslog
