export function LiveScreen() { return <p>Live</p> }
