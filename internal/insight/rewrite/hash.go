package rewrite

import "go/ast"

// hashes are functions of a value only, by name.
var hashes = map[string]bool{
	"crypto/sha256.Sum256": true, "crypto/sha256.Sum224": true, "crypto/sha512.Sum512": true,
	"crypto/sha512.Sum384":     true,
	"crypto/sha512.Sum512_224": true, "crypto/sha512.Sum512_256": true, "crypto/sha1.Sum": true, "crypto/md5.Sum": true,
	"crypto/sha3.Sum224": true, "crypto/sha3.Sum256": true, "crypto/sha3.Sum384": true, "crypto/sha3.Sum512": true,
	"hash/crc32.ChecksumIEEE": true, "hash/adler32.Checksum": true,
}

// hoistHash makes the hash of a value that never changes in a package variable. Hashes are arrays
// and numbers: each use has a copy of its own, as before.
func hoistHash(c *code) error {
	found := collect(c.fn.Body, func(call *ast.CallExpr) bool { return hashes[c.calls(call)] })
	call, err := pick(c, found, "call of a hash function of one value (sha256.Sum256, md5.Sum, crc32.ChecksumIEEE)")
	if err != nil {
		return err
	}
	if err := c.fixed(call.Args[0]); err != nil {
		return err
	}
	return c.hoist(call, "Sum")
}
