package redact

import "strings"

// A name may be several words without a sign between them: dbpass, MYSQLPWD, encryptionkey. Words that end in the same
// letters by chance, such as compass, bypass and monkey, are told apart by what stands before: it has to be made of
// words that own secrets.

// gluedSecrets are the ends of such names. For "key" what is before is one of keyOwners.
var gluedSecrets = []string{"pass", "pwd", "pw", "pswd", "passcode", "pin", "otp", "cred", "creds", "auth", "key",
	"keys", "tokens", "secrets", "jwt", "sid"}

// gluedOwners are what secrets are of: systems, users, and words that stand with them.
var gluedOwners = []string{
	"db", "database", "data", "sql", "mysql", "mariadb", "pg", "psql", "postgres", "postgresql", "mssql", "oracle",
	"ora", "sqlite", "mongo",
	"mongodb", "redis", "memcache", "cassandra", "clickhouse", "influx", "elastic", "es", "solr", "neo", "couch",
	"dynamo", "jdbc", "odbc", "cache",
	"rabbit", "rabbitmq", "rmq", "amqp", "mq", "mqtt", "nats", "kafka", "sasl", "stomp", "queue", "broker",
	"smtp", "imap", "pop", "mail", "email", "mailer", "ftp", "sftp", "ssh", "ldap", "ad", "krb", "radius", "vpn",
	"wifi", "wlan", "snmp", "irc",
	"sip", "proxy", "http", "https", "web", "api", "rest", "grpc", "rpc", "app", "application", "bot", "hook",
	"webhook", "site", "portal",
	"aws", "gcp", "azure", "s3", "minio", "github", "gitlab", "git", "docker", "registry", "npm", "maven", "nexus",
	"vault", "consul", "jenkins",
	"sonar", "grafana", "prom", "sentry", "slack", "discord", "telegram", "stripe", "paypal", "twilio", "sendgrid",
	"mailgun", "openai", "jira",
	"admin", "adm", "root", "su", "sudo", "user", "usr", "username", "login", "signin", "account", "acct", "member",
	"client", "customer",
	"guest", "owner", "service", "svc", "server", "srv", "host", "remote", "master", "main", "primary", "slave",
	"replica", "repl", "replication",
	"backup", "my", "the", "default", "old", "new", "tmp", "temp", "test", "dev", "stage", "staging", "prod",
	"production", "local", "internal",
	"auth", "basic", "bind", "bearer", "token", "session", "cookie", "csrf", "jwt", "sign", "signing", "sig", "hmac",
	"aes", "rsa", "ec", "ecdsa",
	"encrypt", "encryption", "enc", "crypt", "crypto", "cipher", "tls", "ssl", "ca", "cert", "certificate", "pem",
	"pkcs", "pfx", "jks", "keystore",
	"key", "truststore", "store", "trust", "private", "priv", "secret", "shared", "access", "license", "licence",
	"deploy", "subscription", "storage",
	"zip", "archive", "card", "sim", "device", "x",
}

// gluedKeyOwners have keys that are secrets. Others have keys of maps, tables and keyboards: testkey, primarykey,
// hotkey.
var gluedKeyOwners = append([]string{"priv", "sign", "encrypt", "enc", "crypt", "crypto", "cipher", "jwt", "token",
	"session", "cookie", "bearer", "tls", "ssl",
	"ca", "cert", "ec", "ecdsa", "licence", "sendgrid", "stripe", "mailgun", "openai", "twilio", "aws", "azure", "gcp",
	"webhook", "csrf", "vault"}, keyOwners...)

// glued says that a part of a name is the name of a secret, made of words without a sign between them.
func glued(part string) bool {
	for _, end := range gluedSecrets {
		before, found := strings.CutSuffix(part, end)
		if !found || before == "" {
			continue
		}
		if !strings.HasPrefix(end, "key") {
			if made(before, gluedOwners) {
				return true
			}
			continue
		}
		for _, owner := range gluedKeyOwners {
			if rest, found := strings.CutSuffix(before, owner); found && (rest == "" || made(rest, gluedOwners)) {
				return true
			}
		}
	}
	return false
}

// mostGlued bounds a name that is taken to pieces, in bytes.
const mostGlued = 64

// made says whether a text is made of some of these words, one after the other.
func made(text string, words []string) bool {
	if len(text) > mostGlued {
		return false
	}
	reached := make([]bool, len(text)+1)
	reached[0] = true
	for at := range text {
		if reached[at] {
			for _, w := range words {
				if strings.HasPrefix(text[at:], w) {
					reached[at+len(w)] = true
				}
			}
		}
	}
	return reached[len(text)]
}
