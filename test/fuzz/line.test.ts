// Tests that hostile peers at the agent's address cost bounded memory, and that the connection recovers.
import { afterAll, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { createServer, type Server, type Socket } from "node:net"
import { socketSource } from "../../src/transport/socket.ts"
import { FINAL, frame, frameHead, TEXT } from "../chaos/frames.ts"
import { STEERING } from "../pty/sequences.ts"
import { Collector } from "../transport/collector.ts"

const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
const HELLO = '{"kind":"event","seq":1,"event":"runner/started","data":{}}'
const CLOSE = 8
const PING = 9
const MB = 1024 * 1024

const servers: Server[] = []
const sockets: Socket[] = []
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.map(server => new Promise(done => server.close(done))))
})

/** Sends the same bytes again and again, as fast as they are taken, until the line ends. */
function flood(socket: Socket, bytes: Buffer): void {
  const pump = (): void => {
    while (!socket.destroyed && socket.write(bytes)) {
      // What is not taken is waited for.
    }
  }
  socket.on("drain", pump)
  pump()
}

/** What comes after the handshake was asked for; the first attempt only, the next ones get an agent that behaves. */
type Answer = (socket: Socket, accept: string) => void

/** The port of a server that gives the first caller `answer`, and every other one an agent. */
async function listen(answer: Answer): Promise<number> {
  let calls = 0
  const server = createServer(socket => {
    sockets.push(socket)
    socket.on("error", () => undefined)
    let asked = ""
    socket.on("data", bytes => {
      if (asked.includes("\r\n\r\n")) return
      asked += bytes.toString("latin1")
      const key = /sec-websocket-key: (\S+)\r/i.exec(asked)?.[1]
      if (!asked.includes("\r\n\r\n") || key === undefined) return
      const accept = createHash("sha1")
        .update(key + MAGIC)
        .digest("base64")
      calls++
      if (calls === 1) answer(socket, accept)
      else socket.write(Buffer.concat([upgrade(accept), frame(FINAL | TEXT, HELLO)]))
    })
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  servers.push(server)
  server.listen(0, "127.0.0.1", resolve)
  await promise
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const upgrade = (accept: string, more = ""): Buffer =>
  Buffer.from(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${more}\r\n`,
  )
const opened =
  (...frames: readonly Buffer[]): Answer =>
  (socket, accept) =>
    void socket.write(Buffer.concat([upgrade(accept), ...frames]))

const answers: readonly (readonly [string, Answer])[] = [
  ["what is no HTTP", socket => void socket.write("\x1b[2J nonsense\r\n\x9b2J\0\r\n\r\n")],
  [
    "a refusal whose words are controls",
    socket => void socket.write("HTTP/1.1 500 \x1b[2J\x07\r\nContent-Length: 0\r\n\r\n"),
  ],
  ["headers without an end", socket => flood(socket, Buffer.from(`HTTP/1.1 101 S\r\nX: ${"y".repeat(60_000)}\r\n`))],
  ["another's key", socket => void socket.write(upgrade("bm90IHlvdXJz"))],
  [
    "a compression that nobody asked for",
    (socket, accept) => {
      const bomb = Bun.deflateSync(Buffer.alloc(64 * MB))
      socket.write(upgrade(accept, "Sec-WebSocket-Extensions: permessage-deflate\r\n"))
      socket.write(frame(FINAL | 0x40 | TEXT, Buffer.from(bomb)))
    },
  ],
  ["reserved bits", opened(frame(FINAL | 0x20 | TEXT, "x"))],
  ["a kind of frame that there is not", opened(frame(FINAL | 5, "x"))],
  ["the rest of a message that never began", opened(frame(FINAL, "x"))],
  ["a masked frame", opened(Buffer.from([FINAL | TEXT, 0x81, 1, 2, 3, 4, 5]))],
  ["bytes that are no UTF-8", opened(frame(FINAL | TEXT, Buffer.from([0xff, 0xed, 0xa0, 0x80])))],
  ["a farewell of controls", opened(frame(FINAL | CLOSE, Buffer.from("\x03\xe8\x1b[2J\x9b\u202ebye", "latin1")))],
  ["a farewell with half a code", opened(frame(FINAL | CLOSE, Buffer.from([3])))],
  ["a farewell with a code that there is not", opened(frame(FINAL | CLOSE, Buffer.from([0, 5])))],
  ["a ping that is too long", opened(frame(FINAL | PING, Buffer.alloc(1000)))],
  ["a message that is said to have 2^64 - 1 bytes", opened(frameHead(FINAL | TEXT, 2n ** 64n - 1n))],
]

/** What a connection goes through with such a server. */
async function meet(answer: Answer): Promise<Collector> {
  const sink = new Collector()
  const source = socketSource({ url: `ws://127.0.0.1:${await listen(answer)}/ws`, random: () => 0 })
  source.start(sink)
  await sink.until(({ seqs }) => seqs.length === 1)
  source.stop()
  return sink
}

let met: readonly Promise<Collector>[] | null = null
test.each(answers.map(([what], i) => [what, i] as const))(
  "%s: the connection is lost with one line of text without control characters, and recovers",
  async (_what, i) => {
    // Each waits for its second attempt: all do so at once.
    met ??= answers.map(([, answer]) => meet(answer))
    const sink = await met[i]
    const [lost] = sink?.links.filter(link => link.state === "lost") ?? []
    expect(lost?.why.length).toBeGreaterThan(3)
    expect(lost?.why.length).toBeLessThan(300)
    expect(STEERING.exec(lost?.why ?? "")).toBeNull()
    expect(sink?.last?.state).toBe("open")
  },
)

const floods: readonly (readonly [string, Answer])[] = [
  [
    "one frame of eight gigabytes",
    (socket, accept) => {
      socket.write(Buffer.concat([upgrade(accept), frameHead(FINAL | TEXT, 8e9)]))
      flood(socket, Buffer.alloc(MB, 120))
    },
  ],
  [
    "a message in pieces without an end",
    (socket, accept) => {
      socket.write(Buffer.concat([upgrade(accept), frame(TEXT, "x")]))
      flood(socket, Buffer.concat([frameHead(0, MB), Buffer.alloc(MB, 120)]))
    },
  ],
]
test.each(floods)("%s: the connection is dropped before it fills memory, and recovers", async (_what, answer) => {
  const before = sockets.length
  const sink = await meet(answer)
  expect(sink.links.find(link => link.state === "lost")).toMatchObject({ why: "a message was too large" })
  expect(sockets[before]?.bytesWritten).toBeLessThan(256 * MB)
})

test("endless pings: the connection stays open, and frames arrive between them", async () => {
  const port = await listen((socket, accept) => {
    socket.write(Buffer.concat([upgrade(accept), frame(FINAL | TEXT, HELLO)]))
    const many = Buffer.concat(Array.from({ length: 1000 }, () => frame(FINAL | PING, "x")))
    for (let n = 0; n < 100; n++) socket.write(many)
    socket.write(frame(FINAL | TEXT, HELLO.replace('"seq":1', '"seq":2')))
  })
  const sink = new Collector()
  const source = socketSource({ url: `ws://127.0.0.1:${port}/ws`, random: () => 0 })
  source.start(sink)
  await sink.until(({ seqs }) => seqs.length === 2)
  source.stop()
  expect(sink.states).toEqual(["connecting", "open"])
})
