// Tests that a file of the session directory is shown by its kind.
import { expect, test } from "bun:test"
import { replay, show } from "../../screen/screen.tsx"
import { type Step, walked } from "../steps.ts"

const file = (
  name: string,
  text: string | null,
  more: { why?: string; isCut?: boolean; top?: number; asIs?: boolean } = {},
) => ({ name, title: name, text, why: null, isCut: false, ...more }) as const

test("a file is rendered by its name, or stands as it is from a match on, if it is long or says nothing too, in its colours", async () => {
  const screen = await show({ columns: 80, rows: 24, link: replay })
  const letter = Array.from({ length: 40 }, (_, i) => `**line ${i}**`).join("\n")
  const told: string[] = []
  const inks = new Map<string, string>()
  for (const one of [
    file("a.md", "*so* it goes"),
    file("letter.md", letter),
    file("a/letter.md", letter, { top: 9, asIs: true }),
    file("a.MD", `*so* ${"x".repeat(262_144)}`, { isCut: true }),
    file("a.json", '{"a":[1]}'),
    file("b.json", "[1,2]"),
    file("c.json", '{"a":1234567890123456}'),
    file("d.json", "17"),
    file("longest.json", `[${" ".repeat(262_142)}]`),
    file("a.patch", "+new\n-old\n same"),
    file("a.log", "an ERROR\na WARNING\na FATAL one\nan Exception\nnothing"),
    file("src/Makefile", "all: # build"),
    file("a.txt", "# as it is"),
    file("empty.ts", ""),
    file("gone.md", null, { why: "no such file" }),
    file("odd.md", null),
  ]) {
    screen.store.dispatch({
      type: "view",
      change: { overlays: [{ type: "file", name: one.name, top: one.top ?? 0, asIs: one.asIs === true }] },
    })
    expect(await screen.text()).toMatch(/No session directory/)
    screen.store.dispatch({ type: "files", change: { open: one } })
    const { lines } = await screen.frame()
    const from = lines.findIndex(({ spans }) => spans.some(({ text }) => text.includes("FILE")))
    for (const { spans } of lines.slice(from, from + 6)) {
      const seen = spans.filter(({ text }) => /[^\s│└─]/.test(text))
      const words = seen.map(({ text, fg }) => {
        const ink = inks.get(fg.toString()) ?? `${inks.size}`
        inks.set(fg.toString(), ink)
        return `${ink}:${text.trim().slice(0, 40)}`
      })
      if (words.length > 0) told.push(words.join(" "))
    }
  }
  const last = file("last.md", `*so* ${"it goes ".repeat(20)}`)
  const as = (asIs: boolean): Step => [
    `as it is: ${asIs}`,
    () =>
      screen.store.dispatch({ type: "view", change: { overlays: [{ type: "file", name: last.name, top: 0, asIs }] } }),
  ]
  screen.store.dispatch({ type: "files", change: { open: last } })
  told.push(await walked(screen, as(false), as(true), as(false), ["narrow", () => screen.resize(40, 24)]))
  screen.store.dispatch({ type: "files", change: { open: null } })
  screen.store.dispatch({ type: "directory", directory: { path: "/run", error: "no such directory" } })
  expect(await screen.text()).toContain("no such directory")
  expect(told.join("\n")).toMatchSnapshot()
})
