// Tests what is done for a person at their terminal: what it shows, their programs, what is copied.
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { PromptKey } from "../../../src/run/model/id.ts"
import type { Effect } from "../../../src/view/effect.ts"
import { withVariables } from "../../cli/called.ts"
import { open } from "../../panels/planned.ts"
import { until } from "../../until.ts"
import { ASKED, held, stateDirectory } from "../open-run.ts"

test("the terminal does what it is asked for, with texts that can't steer it, and the mouse says what it does", async () => {
  const { run, surface, notice } = await held()
  const texts = ["a\x1b[2Jb", null] as const
  run.perform([
    ...["redraw", "bell"].map(one => ({ type: `terminal/${one}` }) as Effect),
    ...texts.map(words => ({ type: "terminal/suspend", words }) as const),
    ...texts.map(text => ({ type: "terminal/title", text }) as const),
    { type: "terminal/notify", text: "c\x07" },
    { type: "terminal/mouse" },
  ])
  expect(surface.calls).toEqual([
    ...["redraw", "bell", "suspend a␛[2Jb", "suspend null", "title a␛[2Jb", "title null", "notify c␇", "mouse"],
  ])
  expect(notice()).toBe("Mouse on. Shift-drag selects text")
  const { terminal } = surface
  surface.terminal = null
  run.perform([{ type: "terminal/bell" }, { type: "terminal/mouse" }, { type: "pager/show", text: "x" }])
  expect([notice(), surface.calls.length]).toEqual(["Mouse on. Shift-drag selects text", 8])
  surface.terminal = terminal
  run.perform([{ type: "terminal/mouse" }])
  expect(notice()).toBe("Mouse off")
})

test("a program of the person's gets the text or the file, and a failure of it is told", async () => {
  const { home, run, notice, come, store } = await held()
  const shown = async (effect: Effect, file: string, said: string | null) => {
    run.perform([effect])
    await until(() => Bun.file(join(home, file)).size > 0 && `${notice()}`.endsWith(`${said}`))
    return readFileSync(join(home, file), "utf8")
  }
  expect(await shown({ type: "file/open", name: "artifacts/a.txt" }, "viewed", null)).toBe(
    `${home}/run/artifacts/a.txt\n`,
  )
  expect(await shown({ type: "file/open", name: "none" }, "viewed", "Can't open none")).not.toContain("none")
  const failed = `${home}/pager failed with exit code 4`
  expect(await shown({ type: "pager/show", text: "a\x1bb" }, "paged", failed)).toBe("a␛b")
  run.link(open)
  const { run: before } = store.get()
  come(ASKED.replace("confirm", "text"))
  const { key = "" } = store.get().run.prompts[0] ?? {}
  // A person may look at the past meanwhile.
  store.dispatch({ type: "show", run: before })
  run.perform([{ type: "answer/edit", key: key as PromptKey, text: "draft" }])
  await until(() => JSON.stringify(store.get().view.questions.drafts).includes("edited"))
  expect(readdirSync(stateDirectory(home)).filter(name => name.startsWith("answer-"))).toEqual([])
  run.perform([{ type: "answer/edit", key: "closed by then" as PromptKey, text: "draft" }])
  const saved = () => /The question closed first\. Your text is saved in (\S+)$/.exec(notice() ?? "")?.[1]
  await until(() => saved() !== undefined)
  expect(readFileSync(saved() ?? "", "utf8")).toBe("edited")
})

test("what the terminal can't copy is saved to a file that the footer names", async () => {
  const { run, store, state, notice } = await held()
  using _variables = withVariables({ WAYLAND_DISPLAY: "", DISPLAY: "" })
  for (const [text, said] of [
    ["short é", "Copied block é (8 B), if your terminal allows it"],
    ["é".repeat(1000), "Too big for the clipboard; saved to STATE/copies/block-TIME.txt"],
  ] as const) {
    run.perform([{ type: "clipboard/copy", what: "block é", text }])
    await until(
      () =>
        notice()
          ?.replace(/-\d{8}T\d{6}Z/, "-TIME")
          .replace(state, "STATE") === said,
    )
    expect(store.get().view.notice?.level).toBe("info")
  }
  const [name = ""] = readdirSync(join(state, "copies"))
  expect(readFileSync(join(state, "copies", name), "utf8")).toBe("é".repeat(1000))
})
