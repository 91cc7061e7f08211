package subject

// osHasSockets says that Sockets finds something here.
const osHasSockets = true
