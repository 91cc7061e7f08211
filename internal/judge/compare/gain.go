package compare

// LargeGain is the ratio of B to A below which a gain is checked once more: programs can notice that they are measured, and
// answer what is repeated from memory.
const LargeGain = 0.7
