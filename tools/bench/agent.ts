// Streams as an agent as fast as it is told: `bun agent.ts SESSIONS DELTAS_PER_S SECONDS [MARK_MS]`.
// With MARK_MS the last session writes a letter of its own every so many ms, and stdout says which and when. The first
// line of stdout is the address. `SIGUSR2` makes it measure how late pings are answered.
const [sessions = 1, perSecond = 100, seconds = 10, markMs = 0] = process.argv.slice(2).map(Number)

/** Ms between two handfuls. */
const TICK_MS = 5
const MODEL = "bench-model:27b-instruct"
const WORDS = ["tide ", "ferry ", "quay ", "light ", "slow ", "keeps ", "under ", "wind\n"]
/** Ms for which pings are sent, and for which the last answers are waited for. */
const PINGED_MS = 4000
const PATIENCE_MS = 2000
/** Ms for which the session that is to be shown is the only one. */
const ALONE_MS = 1000
/** Letters that no word of ours has and that are one column wide. */
const FIRST_MARK = 0x100
const MARKS = 0x150

const say = (words: object): void => void process.stdout.write(`${JSON.stringify(words)}\n`)
const now = (): number => performance.timeOrigin + performance.now()

let seq = 0
const row = (event: string, data: string): string =>
  `{"kind":"event","seq":${++seq},"ts":${Date.now()},"event":"${event}","data":{${data}}}`
const owner = (session: number): string =>
  `"model":"${MODEL}","invokeid":"writer-${session >> 5}","session-id":"multiplex.writer-${session >> 5}.${session}.7f3a9c21-5b0e"`
const owners = Array.from({ length: sessions }, (_, session) => owner(session))
const delta = (session: number, text: string): string =>
  row("llm/delta", `"type":"text-delta","text":${JSON.stringify(text)},${owners[session]}`)

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 404 })),
  websocket: {
    perMessageDeflate: false,
    backpressureLimit: 1 << 30,
    open: socket => {
      say({ attached: true })
      socket.send(row("runner/started", '"session-id":":session/bench","chart-id":":bench"'))
      // The first to come is the one that is shown, and stays so.
      for (const one of owners.slice(-1)) socket.send(row("llm/start", one))
      setTimeout(() => {
        for (const one of owners.slice(0, -1)) socket.send(row("llm/start", one))
        stream(text => socket.send(text))
      }, ALONE_MS)
      const pings = new Map<string, number>()
      let worst = 0
      answered = id => {
        worst = Math.max(worst, now() - (pings.get(id) ?? now()))
        pings.delete(id)
      }
      process.on("SIGUSR2", () => {
        worst = 0
        const timer = setInterval(() => {
          const id = String(now())
          pings.set(id, now())
          socket.ping(id)
        }, 10)
        setTimeout(() => clearInterval(timer), PINGED_MS)
        setTimeout(() => say({ worstAnswerMs: worst, unanswered: pings.size }), PINGED_MS + PATIENCE_MS)
      })
    },
    message: () => undefined,
    pong: (_, data) => answered(data.toString()),
  },
})
let answered: (id: string) => void = () => undefined
say({ url: `ws://127.0.0.1:${server.port}/ws` })

function stream(send: (text: string) => void): void {
  const began = performance.now()
  let sent = 0
  let marks = 0
  const timer = setInterval(() => {
    const elapsed = performance.now() - began
    const due = Math.min(elapsed / 1000, seconds) * perSecond * sessions
    // A handful that came late is not made up for at once.
    for (let left = Math.min(due - sent, perSecond * sessions * 0.05); left >= 1; left--) {
      send(delta(sent % sessions, WORDS[(sent * 7 + (sent >> 8)) & 7] ?? ""))
      sent++
    }
    if (markMs > 0 && elapsed > (marks + 1) * markMs) {
      const letter = String.fromCharCode(FIRST_MARK + (marks++ % MARKS))
      send(delta(sessions - 1, letter))
      say({ letter, at: now(), sent })
    }
    if (elapsed < seconds * 1000) return
    clearInterval(timer)
    say({ sent, seq })
  }, TICK_MS)
}
