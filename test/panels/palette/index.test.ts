// Tests the palette by its keys: what it finds, in which order, and what its rows do.
import { describe, expect, test } from "bun:test"
import { LETTER } from "../../../src/keys/binding.ts"
import { keymap } from "../../../src/panels/index.ts"
import { paletteOf } from "../../../src/panels/palette/index.ts"
import type { PaletteEntry } from "../../../src/panels/palette/palette-entry.ts"
import { palettes } from "../../../src/panels/palette/palette-entry.ts"
import { features, plan } from "../../../src/panels/plan.ts"
import { createStore } from "../../../src/view/store.ts"
import { typingOf } from "../../../src/view/view.ts"
import { event, line } from "../../run/lines.ts"
import { endScreens } from "../../screen/open-screens.ts"
import { live, NOW, replay, type Shown, show, spansWith } from "../../screen/screen.tsx"
import { asks } from "../prompt/questions.ts"
import { testWalks } from "../scripted.ts"
import { walked } from "../steps.ts"

const ids = { invokeid: "judge", "session-id": "judge.4" }
const start = event(1, "llm/start", ids)
const failed = event(2, "llm/error", { ...ids, message: "connection reset by peer" })
const reply = event(3, "llm/response", { ...ids, content: [{ type: "text", text: "the river" }] })

async function opened(typed = "", options: Parameters<typeof show>[0] = {}): Promise<Shown> {
  const screen = await show(options)
  screen.feed(start, failed, reply).press(":")
  screen.type(typed)
  return screen
}

function rows(screen: Shown): readonly PaletteEntry[] {
  return paletteOf(screen.store.shown())?.rows ?? []
}

test("a newcomer finds what to press by a word for it, and reads the key in the row", async () => {
  const told: string[] = []
  const words =
    "export, copy the reply, next error, loop, quit, open artifacts, cost, costs, failed, theme, settings, home, copy"
  for (const typed of `${words}, back to now, files, dark, version, config, usages, speed`.split(", ")) {
    const screen = await opened(typed, { link: replay })
    told.push(`${typed}: ${(await screen.row("▸ › ")).match(/› .*?(?= *│)/)?.[0].replaceAll(/ {2,}/g, "  ")}`)
    endScreens()
  }
  expect(told.join("\n")).toMatchSnapshot()
})

test("a row does what its key would do there, asks where that loses something, or stays with why it can't", async () => {
  const options = { columns: 100, rows: 24 }
  const told: string[] = []
  const words = "next or previous error, export the run, step one event, go to the bookmark, connection reset, judge"
  const others =
    "tokens>x, zzgrm, jduge, state=review, error, loop , watch error, +12.5s, end the run, /export, 2, #2, 100%, 14:03:22, +00:34.310"
  for (const typed of `${words}, ${others}`.split(", ")) {
    told.push(await walked(await opened("", options), `'${typed}'`, "enter", "enter"))
    endScreens()
  }
  for (const key of ["escape", "down", "x"])
    told.push(await walked(await opened("end the run", options), `enter ${key}`))
  const asked = asks("q", "confirm", { prompt: "Which haiku wins?" })
  for (const typed of ["haiku", "cancel the question"]) {
    const screen = await show(options, start, asked)
    told.push(await walked(screen, "ctrl-p", `'${typed}'`, "enter", "enter"))
  }
  told.push(await walked(await opened("", options), "'x' backspace", "'??'"))
  const view = await show(options, start, failed, reply, reply)
  const jumps = ["e j : 'next or previous err' enter", ": 'next or previous warn' enter"]
  told.push(await walked(view, "T :", "escape", ...jumps))
  expect(told.join("\n\n")).toMatchSnapshot()
})

test("what was chosen last stands first when it opens again", async () => {
  const screen = await opened("watch")
  screen.press("enter", "escape", "escape", "ctrl-p")
  expect(rows(screen)[0]).toMatchObject({ id: ":watch" })
})

test("with 10,000 sessions it looks at each a few times to open, and at each row a few times for what is typed", () => {
  const many = Array.from({ length: 10_000 }, (_, i) =>
    event(i, "llm/start", { invokeid: `poet-${i % 100}`, "session-id": `p.${i}` }, NOW),
  )
  const store = createStore({ ...features, link: live })
  store.dispatch({ type: "frames", frames: many })
  const state = store.shown()
  let looks = 0
  const counted = <T extends object>(all: T): T =>
    new Proxy(all, {
      get(target, name) {
        if (typeof name === "string" && /^\d/.test(name)) looks++
        return Reflect.get(target, name)
      },
    })
  const { sessions, turnBuffers } = state.run
  const run = { ...state.run, sessions: counted(sessions), turnBuffers: counted(turnBuffers) }
  const made = plan({ ...state, run, present: run }, { type: "palette/open" }, { now: NOW, page: 10, lines: 0 })
  expect(looks / many.length).toBeGreaterThan(1)
  expect(looks / many.length).toBeLessThan(20)
  const opening = made.actions.find(one => one.type === "view")
  const entries = palettes.of({ slices: {}, ...opening?.change }).shown?.entries ?? []
  expect(entries.length).toBeGreaterThan(10_000)
  for (const text of ["p", "poet 77", "jduge"]) {
    let reads = 0
    const watched = entries.map(one => ({
      ...one,
      get title() {
        reads++
        return one.title
      },
    }))
    store.dispatch({
      type: "view",
      change: {
        ...palettes.put(store.get().view, { shown: { keysFirst: false, entries: watched, rows: watched, cursor: 0 } }),
        overlays: [{ type: "palette" }],
        typing: typingOf("palette"),
      },
    })
    store.ask({ type: "typing/text", text }, { now: NOW, page: 10, lines: 0 })
    expect(reads / entries.length).toBeGreaterThanOrEqual(1)
    expect(reads / entries.length).toBeLessThan(5)
  }
})

describe("?", () => {
  test("lists every key, also those that only move a cursor", async () => {
    const screen = await show()
    screen.press("?")
    screen.press("?")
    await screen.settle()
    const titles = new Set(rows(screen).map(({ title }) => title))
    const inside = /^(palette|typing)\//
    const known = keymap.bindings.filter(({ id, keys }) => !inside.test(id) && !keys.includes(LETTER))
    expect(known.filter(({ title }) => !titles.has(title))).toEqual([])
    expect(await screen.press("up", "pagedown", "pagedown").text()).toMatch(/▸ \S/)
  })

  test("shows the keys that work here in 20 to 25 rows, group by group, filters as one types, and runs a key", async () => {
    const screen = await show({ link: replay })
    const told = await walked(screen, "T ?", "'/expo'")
    const letters = spansWith(await screen.frame(), "expo").map(({ text }) => text)
    expect(letters).toContain("expo")
    await walked(screen, "backspace backspace backspace backspace backspace")
    expect(rows(screen).length).toBeLessThan(26)
    expect([told, await walked(screen, "'/expo' enter")]).toMatchSnapshot()
    expect(screen.store.get().view.overlays.map(({ type }) => type)).toEqual(["waterfall", "export"])
  })

  test("shows all keys at the second press; Esc, or a third, hides them; F1 does where letters are typed", async () => {
    const told: string[] = []
    for (const steps of [
      ["?", "?", "?"],
      ["?", "?", "escape"],
      ["?", "escape"],
      ["?", "pagedown", "up", "enter"],
    ])
      told.push(await walked(await show({ columns: 80, rows: 20 }), ...steps))
    told.push(await walked(await show({ columns: 50, rows: 20 }), "?", "? G", "escape : 'next'"))
    const sized = await show({ columns: 119, rows: 20 })
    expect((await sized.press(":").row("COMMANDS")).indexOf("┌─ COMM")).toBe(3)
    const sizes = [68, 60].map(columns => [`${columns} wide`, () => sized.resize(columns, 13)] as const)
    told.push(await walked(sized, ...sizes, "escape", ...sizes.slice(0, 1), "?"))
    expect((await sized.row("Move")).slice(6, 34)).toBe("Move      j k             mo")
    told.push(await walked(sized, "'step one'", "down"))
    const asked = line({ kind: "prompt", "prompt-id": "q", type: "text", opts: { prompt: "Title?" } })
    told.push(await walked(await show({ columns: 80, rows: 20 }, asked), "f1", "escape"))
    expect(told.join("\n\n")).toMatchSnapshot()
  })
})

test("what is typed is seen at 40x10, whatever holds the run", async () => {
  const screen = await show({ columns: 40, rows: 10 }, event(1, "runner/started"))
  const pending = ["hook.set", "wind.up", "tide", "noon"].map(name => ({ name, "external?": true }))
  screen.feed(
    line({ kind: "debug", paused: true, "breakpoint-armed": true, "branch-error": "no", "pending-events": pending }),
  )
  expect(await screen.press(":").type("status").text()).toContain(": status")
  expect(await screen.press("enter").text()).toContain("STATUS")
})

await testWalks("palette")
