// Starts the screen as an agent does, and gets the terminal back (docs/contract.md section 1).
import { spawn, spawnSync } from "node:child_process"
import { writeSync } from "node:fs"
import { constants } from "node:os"
import { join } from "node:path"
import { shellWord } from "../../packages/wire/src/sanitize.ts"
import type { Clock } from "../transport/clock.ts"
import { root } from "../transport/package-files.ts"

/** How long the screen may take to end, ms. */
const GRACE_MS = 2000
/** Ends the key protocol, the mouse, focus reports, bracketed paste, colours and the alternate screen. */
const RESET =
  "\x1b[?2026l\x1b[<u\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?2027l\x1b[?2031l\x1b[0m\x1b[?1049l\x1b[?25h"

/** What the screen must know of the run. */
export interface ScreenRun {
  readonly url: string
  /** What the agent asks of its clients; null if it asks nothing. */
  readonly token: string | null
  readonly chart: string
  readonly sessionId: string
  /** Absolute. */
  readonly sessionDir: string
}

export interface ScreenProcess {
  /** Resolves with the exit code when the screen has ended and the terminal is free. Rejects if it can't be started. */
  readonly exited: Promise<number>
  /** Ends the screen: politely, then by force. */
  close(): void
}

/** Says where and with which token a screen can attach. */
export function sayWhere(url: string, token: string | null): void {
  const variable = token === null ? "" : `OPENTUI_WS_TOKEN=${shellWord(token)} `
  writeSync(2, `${variable}opentui-sidecar attach ${url}\n`)
}

/** Starts the screen on the terminal of this process: of `OPENTUI_DIR`, else of this package. `BUN_BIN` names Bun. */
export function startScreen(run: ScreenRun, clock: Clock): ScreenProcess {
  // A recording would win over the run, and a token of ours is that of another agent.
  const { OPENTUI_REPLAY, OPENTUI_WS_TOKEN, OPENTUI_DIR, BUN_BIN, ...env } = process.env
  const cwd = OPENTUI_DIR || root
  const own = process.versions.bun === undefined ? null : process.execPath
  const bun = BUN_BIN || own || (OPENTUI_DIR ? "bun" : null)
  // The launcher finds Bun, or an executable that needs none.
  const [command, args] =
    bun === null ? [join(cwd, "bin/opentui-sidecar"), []] : [bun, ["run", join(cwd, "src/main.tsx")]]
  const screen = spawn(command, args, { cwd, stdio: "inherit", env: { ...env, ...environmentOf(run) } })
  const exited = new Promise<number>((resolve, reject) => {
    screen.once("error", error => reject(new Error(`expected to start the screen with ${command}: ${error.message}`)))
    screen.once("exit", (code, signal) => {
      if (signal !== null) resetTerminal()
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
  const close = (): void => {
    screen.kill("SIGTERM")
    const cancel = clock.after(GRACE_MS, () => screen.kill("SIGKILL"))
    screen.once("exit", cancel)
  }
  return { exited, close }
}

function environmentOf({ url, token, chart, sessionId, sessionDir }: ScreenRun): Record<string, string> {
  return {
    OPENTUI_WS_URL: url,
    ...(token !== null && { OPENTUI_WS_TOKEN: token }),
    OPENTUI_CHART: chart,
    OPENTUI_SESSION_SHORT: sessionId.slice(-8),
    ESCAPEMENT_SESSION_ID: sessionId,
    ESCAPEMENT_SESSION_DIR: sessionDir,
  }
}

/** A screen that was killed has left the terminal as it had it. */
function resetTerminal(): void {
  if (process.stdout.isTTY) writeSync(1, RESET)
  spawnSync("stty", ["sane"], { stdio: ["inherit", "ignore", "ignore"] })
}
