// Drives headless Chromium over its debugging protocol: opens pages, clicks, takes pictures.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Browser {
  open(url: string): Promise<void>
  /** Runs a script in every page that is opened from now on, before its own. */
  prepare(script: string): Promise<void>
  /** The page's text as a person sees it. */
  text(): Promise<string>
  /** True once the text has this; false if it never does. */
  shows(text: string | RegExp): Promise<boolean>
  /** Clicks the last button or link that begins with this text, or is it; false if none is there and enabled. */
  click(text: string, whole?: boolean): Promise<boolean>
  /** Types a text into the field that a selector finds; false if there is none. */
  fill(selector: string, text: string): Promise<boolean>
  /** Keeps a picture of the page under this name. */
  picture(name: string): Promise<void>
  close(): Promise<void>
}

type Reply = Record<string, unknown>

const WAIT_MS = 15_000
const NAMES = ["chromium", "chromium-browser", "google-chrome"]

/** Starts the system's Chromium; null if there is none. Pictures go to the directory `pictures`. */
export async function openBrowser(pictures: string): Promise<Browser | null> {
  const command = NAMES.map(name => Bun.which(name)).find(path => path !== null)
  if (command === undefined || command === null) return null
  mkdirSync(pictures, { recursive: true })
  const profile = mkdtempSync(join(tmpdir(), "paperclip-browser-"))
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--window-size=1300,1900"]
  const child = Bun.spawn([command, ...flags, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
  })
  const close = async (): Promise<void> => {
    child.kill("SIGKILL")
    await child.exited
    rmSync(profile, { recursive: true, force: true })
  }
  try {
    const page = await connect(await pageAddress(child.stderr))
    await page("Page.enable")
    return { ...actions(page, pictures), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The address of the first page, from the port that Chromium prints. */
async function pageAddress(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let printed = ""
  for await (const chunk of stderr) {
    printed += decoder.decode(chunk)
    const [, port] = printed.match(/DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/) ?? []
    if (port === undefined) continue
    const targets: unknown = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
    const pages = Array.isArray(targets) ? targets.filter(one => one.type === "page") : []
    return String(Object(pages[0]).webSocketDebuggerUrl)
  }
  throw new Error(`Chromium does not start:\n${printed}`)
}

type Call = (method: string, params?: object) => Promise<Reply>

/** Sends commands, each answered under its number. */
async function connect(address: string): Promise<Call> {
  const socket = new WebSocket(address)
  const open = Promise.withResolvers<void>()
  socket.onopen = () => open.resolve()
  socket.onerror = () => open.reject(new Error(`can't connect to ${address}`))
  await open.promise
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.onmessage = ({ data }) => {
    const { id, result } = Object(JSON.parse(String(data)))
    waiting.get(id)?.(Object(result))
    waiting.delete(id)
  }
  let last = 0
  return (method, params = {}) => {
    const { promise, resolve } = Promise.withResolvers<Reply>()
    waiting.set(++last, resolve)
    socket.send(JSON.stringify({ id: last, method, params }))
    return promise
  }
}

function actions(call: Call, pictures: string): Omit<Browser, "close"> {
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result } = await call("Runtime.evaluate", { expression, returnByValue: true })
    return Object(result).value
  }
  const text = async (): Promise<string> => String(await evaluate("document.body?.innerText ?? ''"))
  const until = async (holds: () => Promise<boolean>): Promise<boolean> => {
    for (const giveUpAt = Date.now() + WAIT_MS; Date.now() < giveUpAt; await Bun.sleep(200))
      if (await holds()) return true
    return false
  }
  return {
    text,
    prepare: async source => void (await call("Page.addScriptToEvaluateOnNewDocument", { source })),
    open: async url => void (await call("Page.navigate", { url })),
    shows: wanted =>
      until(async () => {
        const shown = await text()
        return typeof wanted === "string" ? shown.includes(wanted) : wanted.test(shown)
      }),
    fill: (selector, wanted) =>
      until(async () => {
        const focus = `(() => {
          const field = document.querySelector(${JSON.stringify(selector)})
          field?.focus()
          return field !== null
        })()`
        if ((await evaluate(focus)) !== true) return false
        await call("Input.insertText", { text: wanted })
        return true
      }),
    click: (wanted, whole = false) =>
      until(async () => {
        const script = `(() => {
          const all = [...document.querySelectorAll("button, summary, a")]
          const found = all.filter(one => {
            const text = one.innerText.trim()
            return ${whole} ? text === ${JSON.stringify(wanted)} : text.startsWith(${JSON.stringify(wanted)})
          }).at(-1)
          if (found === undefined || found.disabled) return false
          found.click()
          return true
        })()`
        return (await evaluate(script)) === true
      }),
    picture: async name => {
      const { data } = await call("Page.captureScreenshot", { format: "png" })
      writeFileSync(join(pictures, `${name}.png`), Buffer.from(String(data), "base64"))
    },
  }
}
