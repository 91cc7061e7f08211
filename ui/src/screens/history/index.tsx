export function HistoryScreen() { return <p>History</p> }
