package load

import (
	"slices"
	"strconv"

	"github.com/gohone/hone/internal/text/codes"
)

// FirstGRPCCode is the Answer.Code of gRPC's OK, which is 0 in gRPC itself; its other codes follow. Statuses of HTTP, of three digits, end below.
const FirstGRPCCode = 1000

// grpcCodes are the names of gRPC's codes by number (gRPC, Status codes and their use in gRPC).
var grpcCodes = []string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
	"RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE",
	"DATA_LOSS", "UNAUTHENTICATED",
}

// GRPCCodes are the names of gRPC's codes by number.
func GRPCCodes() []string { return slices.Clone(grpcCodes) }

// CodeName is an Answer.Code as reports show it: the name of one of gRPC, the word of an error of RESP, the number of any
// other, "no status" for 0.
func CodeName(code uint16) string {
	if word, ok := codes.RESPWord(code); ok {
		return word
	}
	switch n := int(code) - FirstGRPCCode; {
	case code == 0:
		return "no status"
	case n >= 0 && n < len(grpcCodes):
		return grpcCodes[n]
	case n >= 0 && n < MaxCode-FirstGRPCCode:
		return "gRPC status " + strconv.Itoa(n)
	}
	return strconv.Itoa(int(code))
}
