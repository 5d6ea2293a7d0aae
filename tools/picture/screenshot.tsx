// Draws docs/packages/screenshot.svg: the real screen at 120x36 on the demo, stopped where four drafts are under way.
import { join } from "node:path"
import { testRender } from "@opentui/solid"
import { decode } from "../../packages/wire/src/decode.ts"
import { features } from "../../src/panels/plan.ts"
import { Screen } from "../../src/screen/Screen.tsx"
import { unicode } from "../../src/ui/glyphs.ts"
import { makeTheme } from "../../src/ui/theme.ts"
import { targetOf } from "../../src/view/select/shown-session.ts"
import { createStore } from "../../src/view/store.ts"
import { root } from "../../test/fixtures.ts"
import { svgOf } from "./svg.ts"

export const PICTURE = join(root, "docs/packages/screenshot.svg")
const RECORDING = join(root, "fixtures/frames/demo.jsonl")
/** Lines of the demo up to the moment that is shown. */
const LINES = 826
/** The index of the session whose text is read: the first drafter's. */
const READ = 1
const SIZE = { width: 120, height: 36 }
const PAPER = { background: "#12161d", foreground: "#b4bcc9", title: "opentui-sidecar, while four drafts are written" }

/** The expected picture, independent of clock and chance. */
export async function screenshot(): Promise<string> {
  const lines = (await Bun.file(RECORDING).text()).split("\n").slice(0, LINES).map(decode)
  const url = "ws://127.0.0.1:3737/ws"
  const store = createStore({ ...features, link: { state: "connecting", url, attempt: 1 } })
  store.dispatch({ type: "link", link: { state: "open", url, since: 0 }, now: 0 })
  store.dispatch({ type: "frames", frames: lines })
  store.dispatch({ type: "view", change: { list: { selected: targetOf(store.get().run, READ), pinned: true } } })
  const now = store.get().run.lastTs ?? 0
  const theme = makeTheme("truecolor", "dark")
  const nothing = (): void => undefined
  const title = { chart: null, session: null }
  const run = { store, title, perform: nothing, showRows: nothing, keyPressed: nothing }
  const screen = await testRender(
    () => <Screen run={run} theme={() => theme} glyphs={unicode} motion={false} calmMs={0} now={() => now} />,
    SIZE,
  )
  try {
    await screen.renderOnce()
    return svgOf(screen.captureSpans(), PAPER)
  } finally {
    screen.renderer.destroy()
  }
}

if (import.meta.main) await Bun.write(PICTURE, await screenshot())
