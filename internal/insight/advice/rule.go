package advice

// Rule is one thing that costs more than it needs to, and how to see it in a run.
type Rule struct {
	// Name is the word in documents and for commands: "compressor-per-call".
	Name string
	// Title says what the rule is about, Looks what it looks for in a run.
	Title, Looks string
	// Thresholds are below which it is silent.
	Thresholds []Threshold
	// Remedy is what to do about it, where a finding has none of its own.
	Remedy
	// Mechanical says that package rewrite has a rewrite for it.
	Mechanical bool
	// Find looks at a view. What it returns has at least a title, a place and a cost.
	Find func(v *search, r *Rule) []*found
}

// Threshold is a limit below which a rule is silent, and why it is there.
type Threshold struct {
	Name   string
	Value  float64
	Reason string
}

// least is the smallest share of a measure that a finding is worth reading for. Thresholds of rules that are not named
// are this one: a change that gains less drowns in the differences between two builds and two starts of one program.
const least = 0.03

// threshold returns the value of the rule's threshold of that name; least if it has none.
func (r *Rule) threshold(name string) float64 {
	for _, t := range r.Thresholds {
		if t.Name == name {
			return t.Value
		}
	}
	return least
}

// All are the rules. The order is that of claims: a rule that names a cause stands before the rules that see its
// consequences, so that one cause is one finding.
var All = []*Rule{
	missingFlush, slowBuild,
	goroutineLeak, descriptorLeak, unboundedGrowth,
	nPlusOne, slowStatement, longTransaction, callInLoop, unclosedBody, keyPerCall, clientPerCall,
	sleepInPath, rateLimited, lockHeld, readLock, smallPool,
	unbufferedReads, unbufferedWrites, filePerRequest,
	statementPerCall, timerInLoop, deferInLoop, goroutinePerItem, itemByChannel, atomicPerItem, sameInLoop,
	compressorPerCall, compilePerCall, timeFormat, slowLogging, logArguments,
	constantHash, jsonThereAndBack, bigNumber, codecPerMessage, reflection, fieldBySplit, jsonAny, binaryFixed,
	needlessSort, quadraticLoop, computedAnew,
	fmtHot, copyForOne, bigCopy, uselessPool, mapGrowth, appendGrowth, stringConversion, bufferPerCall, boxing, objectPerCall,
	idleMemory, throttled, memoryLimit, procs, processorHeld,
	cpuWithheld,
	gcThrash,
}

// RuleNamed returns the rule of that name; nil if there is none.
func RuleNamed(name string) *Rule {
	for _, r := range All {
		if r.Name == name {
			return r
		}
	}
	return nil
}
