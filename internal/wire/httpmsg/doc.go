// Package httpmsg is what all versions of HTTP have in common: lists and mixes of requests, their header, URL and body
// as templates, requests that a server left out, and what the fields of an answer mean.
//
// It reads no connection: http1, http2 and http3 do, and none of them knows another. RFC 9110; fields of HTTP/2 and 3:
// RFC 9113 section 8, RFC 9114 section 4, RFC 7541 section 5.
package httpmsg
