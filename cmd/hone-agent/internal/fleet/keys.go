package fleet

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// Keys are what a user's coordinators are known by: the key that signs their orders, and the token of his brokers.
type Keys struct {
	Signer *cluster.Signer
	Token  string
	// TokenFile and SeedFile are where they are kept.
	TokenFile, SeedFile string
}

// UserKeys are the keys of the user, in hone/ in the directory for configuration (os.UserConfigDir). They are made when
// they are first asked for.
func UserKeys() (Keys, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return Keys{}, fail.New(fail.Environment, "find the keys: %w",
			err).WithHint("set HOME, or XDG_CONFIG_HOME to an absolute path")
	}
	return KeysIn(filepath.Join(dir, "hone"))
}

// KeysIn are the keys in a directory.
func KeysIn(dir string) (Keys, error) {
	k := Keys{TokenFile: filepath.Join(dir, "broker.token"), SeedFile: filepath.Join(dir, "coordinator.seed")}
	seed, err := secretIn(k.SeedFile, cluster.NewSeed)
	if err != nil {
		return k, err
	}
	if k.Signer, err = cluster.NewSigner(seed); err != nil {
		return k, fail.New(fail.Storage, "read %s: %w", k.SeedFile,
			err).WithHint("remove it: a new one is made, and agents have to trust that")
	}
	token, err := secretIn(k.TokenFile, func() ([]byte, error) { return []byte(rand.Text()), nil })
	k.Token = string(token)
	return k, err
}

// ReadToken reads a token from a file.
func ReadToken(path string) (string, error) {
	token, err := readSecret(path, 0o007) // those of services and containers may be read by a group
	if err != nil {
		return "", fail.New(fail.Or(fail.BadInput, err), "read the token: %w",
			err).WithHint("hone agent key names the file of the coordinator's user")
	}
	return string(token), nil
}

// secretIn reads a secret of one line, or makes it.
func secretIn(path string, newSecret func() ([]byte, error)) ([]byte, error) {
	secret, err := readSecret(path, 0o077)
	if err == nil {
		return secret, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fail.New(fail.Storage, "read %s: %w", path,
			err).WithHint("it has to be a file of yours that no one else may read: chmod 600 %s", path)
	}
	if secret, err = newSecret(); err != nil {
		return nil, err
	}
	if err := keepSecret(path, secret); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fail.New(fail.Storage, "keep a key in %s: %w", path, err)
	}
	return readSecret(path, 0o077) // of two processes that make one, the first has made it
}

// keepSecret makes a file with a secret; one that is there stays.
func keepSecret(path string, secret []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".secret-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(secret, '\n'))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}

// readSecret reads a secret that none of others may read: bits of its mode.
func readSecret(path string, others fs.FileMode) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&others != 0 {
		return nil, errors.New("other users may read it")
	}
	raw, err := inputs.Secret.ReadFile(path)
	raw = bytes.TrimSpace(raw)
	if err == nil && len(raw) == 0 {
		err = errors.New("it is empty")
	}
	return raw, err
}
