// Tests that text from outside reaches the screen only with its control characters as marks.
import { expect, test } from "bun:test"
import { event, line } from "../run/lines.ts"
import { NOW, type Shown, show } from "./screen.tsx"

/** ESC, OSC with BEL, C1 CSI, NUL, bidi override and isolate, line separator, DEL, zero width, tag, soft hyphen. */
const HOSTILE = "\u001b[2J\u001b]52;c;QQ==\u0007\u009b2J\u0000\u202e\u2066\u2028\u007f\u200b\u{e0041}\u00ad\r\b"
const FORBIDDEN =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\udb40[\udc00-\udc7f]/

function bad(where: string): string {
  return `${where}${HOSTILE}end`
}

async function look(screen: Shown, ...where: readonly string[]): Promise<void> {
  const text = await screen.text()
  expect(FORBIDDEN.exec(text)?.[0].codePointAt(0)).toBeUndefined()
  for (const one of where) expect(text).toContain(`${one}␛`)
}

const prompt = (type: string, opts: object) =>
  line({ kind: "prompt", "prompt-id": bad("pid"), ...(type === "select" && { invokeid: bad("who") }), type, opts })

test("control characters in questions, the debugger's texts, the names and addresses of the run are shown as marks", async () => {
  const url = "ws://127.0.0.1:1/\u001b[2J"
  const connecting = { state: "connecting", url, attempt: 1 } as const
  const screen = await show({ columns: 160, chart: bad("chart"), session: bad("session"), link: connecting })
  const status = [":", ..."status", "enter"]
  await look(screen.press(...status), "chart", "session")
  screen.link({ state: "lost", url, since: NOW, retryAt: NOW, why: bad("why"), everOpen: false })
  await look(screen, "why")
  screen.press("escape").link({ state: "open", url, since: NOW }).pass(4000)
  screen.feed(prompt("select", { prompt: bad("q"), options: [{ label: bad("opt"), value: 1 }] }))
  await look(screen, "who", "q", "opt")
  screen.press("escape").pass(2000)
  screen.feed(prompt("text", { prompt: bad("q"), default: bad("def") }))
  screen.feed(event(1, "human-input/validation-failed", { invokeid: null, errors: [bad("wrong")] }))
  await look(screen, "pid", "q", "def", "wrong")
  const bar = line({ kind: "progress", phase: "update", invokeid: "i", pct: 0.5, label: bad("bar") })
  screen.press("alt-h").feed(event(2, "llm/start", { invokeid: "i", "session-id": "s" }, NOW), bar)
  screen.feed(line({ kind: "debug", paused: true, "step-budget": 0, "branch-error": bad("branch") }))
  screen.feed(event(3, "debug/awaiting-quit", { msg: bad("await") }), line({ kind: bad("kind"), x: HOSTILE }))
  await look(screen, "bar", "await")
  await look(screen.press(...status), "branch")
  screen.press("escape").feed(event(4, "runner/aborted", { reason: bad("over") }))
  await look(screen, "over")
  await look(screen.link({ state: "replaying", path: bad("path"), incompleteLength: 0 }).press(...status), "path")
})
