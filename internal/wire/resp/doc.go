// Package resp speaks to servers of the Redis serialization protocol, versions 2 and 3: commands as redis-cli takes
// them, answers that nest, the login.
//
// The specification is https://redis.io/docs/latest/develop/reference/protocol-spec. Answers are bounded in depth and
// number (read.go, nested.go): a server must not make the generator hold what it sends.
package resp
