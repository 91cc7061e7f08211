package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/spec"
)

// referenceCommand prints all commands with their flags as one document. The documentation site makes the reference
// from it (make site). It is not for users, who have --help.
func (a *commands) referenceCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "reference",
		Short:  "Print all commands with their flags as JSON",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.PrintJSON(referenceOf(cmd.Root()))
		},
	}
}

// reference is the document of all commands and help topics.
type reference struct {
	Schema   string           `json:"schema"`
	Commands []commandPage    `json:"commands"` // in depth-first order: a command, then what stands below it
	Topics   []referenceTopic `json:"topics"`
}

// commandPage is one command as --help shows it.
type commandPage struct {
	Path     string          `json:"path"` // with all its words: "hone profile top"
	Short    string          `json:"short"`
	Long     string          `json:"long,omitempty"`
	Usage    string          `json:"usage,omitempty"` // empty for a command that only holds others
	Example  string          `json:"example,omitempty"`
	Flags    []referenceFlag `json:"flags"`
	Keys     []referenceFlag `json:"keys,omitempty"`     // of --set and of plans in hone.yaml
	Commands []string        `json:"commands,omitempty"` // paths of those directly below it
}

// referenceFlag is one flag. Value is empty for a switch, and Default for a flag without one.
type referenceFlag struct {
	Name      string `json:"name"`
	Shorthand string `json:"shorthand,omitempty"`
	Value     string `json:"value,omitempty"`
	Default   string `json:"default,omitempty"`
	Usage     string `json:"usage"`
}

type referenceTopic struct {
	Name  string `json:"name"`
	Short string `json:"short"`
	Text  string `json:"text"`
}

func referenceOf(root *cobra.Command) reference {
	doc := reference{Schema: "hone.reference/1"}
	root.InitDefaultCompletionCmd()
	doc.add(root)
	return doc
}

// add adds what is below parent.
func (doc *reference) add(parent *cobra.Command) {
	for _, cmd := range parent.Commands() {
		switch {
		case cmd.Hidden || cmd.Name() == "help":
		case cmd.IsAdditionalHelpTopicCommand():
			doc.Topics = append(doc.Topics, referenceTopic{Name: cmd.Name(), Short: cmd.Short, Text: cmd.Long})
		default:
			doc.Commands = append(doc.Commands, pageOf(cmd))
			doc.add(cmd)
		}
	}
}

func pageOf(cmd *cobra.Command) commandPage {
	p := commandPage{Path: cmd.CommandPath(), Short: cmd.Short, Long: strings.TrimSpace(cmd.Long),
		Example: strings.Trim(cmd.Example, "\n")}
	if cmd.Runnable() {
		p.Usage = cmd.UseLine()
	}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			p.Commands = append(p.Commands, sub.CommandPath())
		}
	}
	cmd.InitDefaultHelpFlag()
	cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			p.Flags = append(p.Flags, flagOf(f))
		}
	})
	if set := spec.Of(cmd.Flags()); set != nil && !cmd.Flags().Lookup("set").Hidden {
		for _, f := range set.Keys() {
			p.Keys = append(p.Keys, flagOf(f))
		}
	}
	return p
}

func flagOf(f *pflag.Flag) referenceFlag {
	value, usage := pflag.UnquoteUsage(f)
	r := referenceFlag{Name: f.Name, Shorthand: f.Shorthand, Value: value,
		Usage: strings.Join(strings.Fields(usage), " ")}
	if !slices.Contains(spec.NoDefault, f.DefValue) {
		r.Default = f.DefValue
	}
	return r
}
