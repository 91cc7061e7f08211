package rules

// Common is the rules that hold in each forum.
var Common = []Rule{
	{Name: "mail", Pattern: `[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}`, FoldCase: true, Weight: 4},
	{Name: "link", Pattern: `https?://[^\s]+`, Weight: 2},
	{Name: "phone", Pattern: `\+?[0-9][0-9 ()-]{7,}[0-9]`, Weight: 4},
	{Name: "shout", Pattern: `\b[A-Z]{6,}\b`, Weight: 1},
	{Name: "insult", Pattern: `\b(idiot|moron|stupid|dumb)\b`, FoldCase: true, Weight: 9},
}

// Selling is the rules of forums in which nothing may be sold.
var Selling = []Rule{
	{Name: "price", Pattern: `\b[0-9]+(\.[0-9]{2})?\s?(dollars|euros|usd|eur)\b`, FoldCase: true, Weight: 3},
	{Name: "offer", Pattern: `\b(for sale|selling|sold|best offer)\b`, FoldCase: true, Weight: 3},
}
