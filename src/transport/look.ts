const PATIENCE_MS = 1000

/** True if a connection to the host and port of a URL is accepted. It is closed at once. Never rejects. */
export async function answers(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, "")
  // Loaded on demand, because a start doesn't need it.
  const { connect } = await import("node:net")
  return new Promise(resolve => {
    const socket = connect({ host, port: port === "" ? (protocol === "wss:" ? 443 : 80) : Number(port) })
    const end = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.setTimeout(PATIENCE_MS, () => end(false))
    socket.once("connect", () => end(true))
    socket.once("error", () => end(false))
  })
}
