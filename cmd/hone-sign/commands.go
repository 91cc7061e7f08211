package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-sign/internal/signature"
	"github.com/gohone/hone/internal/spec/extension"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/receipt"
)

// flags are those of the command line.
type flags struct {
	token, identity, issuer string
	verify                  bool
	services                signature.Services
}

func commands(t *extension.Terminal) *cobra.Command {
	f := &flags{}
	cmd := &cobra.Command{
		Use:   "hone-sign RECEIPT",
		Short: "Sign a receipt with the identity of a CI job, and check such a signature",
		Long: `hone sign signs a receipt with the identity that the CI gives to a job, by Sigstore: no key is kept anywhere. In
GitHub Actions that takes the permission id-token: write, in GitLab an ID token for sigstore in SIGSTORE_ID_TOKEN. --token
names a file with another one. The signature is written next to the receipt, as RECEIPT` + receipt.BundleSuffix + `. The
identity, such as the path of the workflow, stands in a public log from then on.

hone sign --verify checks it: --identity is a regular expression for all of the identity, and --issuer who vouches for it,
https://token.actions.githubusercontent.com for GitHub Actions. A signature says who wrote a receipt. Whether it holds is for
hone verify to say.

Exit codes: 2 the files cannot be read, 6 the signature is not one of this receipt by that identity, 7 no identity, or a
service that does not answer.`,
		Example: `  hone sign receipt.json
  hone sign --verify receipt.json --issuer https://token.actions.githubusercontent.com \
      --identity 'https://github\.com/owner/name/\.github/workflows/.*'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, text, err := receipt.ReadFile(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if f.verify {
				return f.check(cmd, t, args[0], text)
			}
			return f.sign(cmd, t, args[0], text)
		},
	}
	cmd.Flags().BoolVar(&f.verify, "verify", false, "check the signature next to the receipt")
	cmd.Flags().StringVar(&f.token, "token", "", "`file` with the identity token, instead of that of the CI")
	cmd.Flags().StringVar(&f.identity, "identity", "", "regular `expression` for the whole identity of the signer")
	cmd.Flags().StringVar(&f.issuer, "issuer", "", "`URL` of who vouches for the identity")
	cmd.Flags().StringVar(&f.services.TrustedRoot, "trusted-root", "",
		"`file` of the trusted root of another Sigstore than the public one")
	cmd.Flags().StringVar(&f.services.SigningConfig, "signing-config", "",
		"`file` with the services of another Sigstore than the public one")
	return cmd
}

func (f *flags) sign(cmd *cobra.Command, t *extension.Terminal, name string, text []byte) error {
	if f.identity != "" || f.issuer != "" {
		return fail.New(fail.BadInput, "--identity and --issuer are of a check, and nothing is checked").
			WithHint("add --verify, or leave them out")
	}
	token, err := signature.Token(cmd.Context(), f.token)
	if err != nil {
		return err
	}
	bundle, err := signature.Sign(cmd.Context(), text, token, f.services)
	if err != nil {
		return err
	}
	file := name + receipt.BundleSuffix
	if err := write(file, bundle); err != nil {
		return fail.New(fail.Storage, "write the signature: %w", err)
	}
	_, err = fmt.Fprintf(t.Stdout, "%s signs %s\n", printable.Line(file), printable.Line(name))
	return err
}

func (f *flags) check(cmd *cobra.Command, t *extension.Terminal, name string, text []byte) error {
	if f.identity == "" || f.issuer == "" {
		return fail.New(fail.BadInput, "--verify needs --identity and --issuer: anybody can sign a receipt").
			WithHint("for GitHub Actions: --issuer https://token.actions.githubusercontent.com " +
				`--identity 'https://github\.com/OWNER/NAME/.*'`)
	}
	bundle, err := inputs.Receipt.ReadFile(name + receipt.BundleSuffix)
	if err != nil {
		return fail.New(fail.Or(fail.BadInput, err), "read the signature: %w", err).
			WithHint("hone sign writes it where the receipt was made; without it the receipt can still be verified: hone verify")
	}
	by, err := signature.Check(text, bundle, f.identity, f.issuer, f.services)
	if err != nil {
		return err
	}
	return t.Print(false, nil, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s was signed by %s (%s), on %s\n", printable.Line(name), printable.Line(by.Identity),
			printable.Line(by.Issuer), by.At.UTC().Format("2006-01-02 15:04:05 UTC"))
		return err
	})
}

// write writes a file, whole or not at all.
func write(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".signature-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // is gone by then if all is well
	_, err = f.Write(text)
	for _, next := range []func() error{func() error { return f.Chmod(0o644) }, f.Close,
		func() error { return os.Rename(f.Name(), name) }} {
		if err == nil {
			err = next()
		}
	}
	return err
}
