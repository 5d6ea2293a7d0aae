// Tries each key, each row of the palette and each click in the stories, and keeps what comes of them.
import { expect, test } from "bun:test"
import { LETTER } from "../../src/keys/binding.ts"
import { scopeOf } from "../../src/panels/front.ts"
import { palettes } from "../../src/panels/palette/palette-entry.ts"
import { changed } from "../../src/view/view.ts"
import { endScreens } from "../screen/open-screens.ts"
import { cellsOf, live, replay, type Shown } from "../screen/screen.tsx"
import { stories } from "./stories.ts"
import { LOOKS, tell } from "./story.ts"
import { TrialStore } from "./trial.ts"

/** What is asked for → the ways that lead to it, and what came of it → the stories where it did. */
class Outcomes {
  readonly #found = new Map<string, { readonly ways: Set<string>; readonly done: Map<string, Set<string>> }>()

  add(way: string, asked: string, done: string, story: string): void {
    const known = this.#found.get(asked) ?? { ways: new Set(), done: new Map() }
    this.#found.set(asked, known)
    known.ways.add(way)
    known.done.set(done, (known.done.get(done) ?? new Set()).add(story))
  }

  get text(): string {
    return [...this.#found]
      .flatMap(([asked, { ways, done }]) => [
        `${[...ways].join(" or ")}: ${asked}`,
        ...[...done].map(([words, told]) => `  ${words} | ${placesOf([...told])}`),
      ])
      .join("\n")
  }
}

/** The first of these stories, and how many more there are. */
function placesOf([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} +${others.length}`
}

const SIZE = { columns: 80, rows: 24 }
const [keys, rows] = [new Outcomes(), new Outcomes()]
const clicks = new Map<string, readonly string[]>()

/** One of each list, page, form and question. */
const CLICKED =
  /-(typical|under-way|one-session|answered|form|review|select|multi|confirm|held|hidden|typed|menu|replay|watched)$|(live|alerts)-crowded/

/** Tries each key that is bound where a person is. */
async function tryKeys(store: TrialStore, screen: Shown, story: string): Promise<void> {
  for (const { keys: bound, isTyped, counts } of scopeOf(store.shown()).bindings)
    for (const key of isTyped === true ? [] : bound) {
      const strokes = key === LETTER ? ["b"] : [...(counts === true ? ["5"] : []), ...key.split(" ")]
      const { asked, done } = await store.try(() => screen.pressAtOnce(...strokes))
      keys.add(strokes.join(" "), asked.join(" then "), done, story)
    }
}

/** Chooses each row of the palette that has no key. */
async function tryRows(store: TrialStore, screen: Shown, story: string): Promise<void> {
  if (store.get().view.typing !== null) return
  const opened = store.after({ type: "palette/open" })
  const { shown } = palettes.of(opened.view)
  for (const [cursor, { title, kind, key }] of (shown?.rows ?? []).entries()) {
    if (shown === null || key !== "" || (kind !== "action" && kind !== "command")) continue
    const view = changed(opened.view, palettes.put(opened.view, { shown: { ...shown, cursor } }))
    const { done } = await store.try(() => screen.pressAtOnce("enter"), { ...opened, view })
    rows.add(kind, title, done, story)
  }
}

/** Clicks on every third column of the screen; neighbours that do the same are told once. */
async function tryClicks(store: TrialStore, screen: Shown, story: string): Promise<void> {
  const told: string[] = []
  let last = ""
  for (const [y, row] of (await screen.rows()).entries())
    for (let x = 0; x < SIZE.columns; x += 3) {
      const { asked, done } = await store.try(() => screen.clickAt(x, y))
      const words = asked.length === 0 ? "" : `${asked.at(-1)} → ${done}`
      if (words !== last && words !== "")
        told.push(
          `${y}, ${x} ${cellsOf(row)
            .slice(x, x + 12)
            .join("")
            .trim()}: ${words}`,
        )
      last = words
    }
  clicks.set(story, told)
}

for (const story of stories) {
  const store = new TrialStore(story.replayed === true ? replay : live)
  const screen = (await tell(story, SIZE, LOOKS[0], store)).listen()
  await tryKeys(store, screen, story.name)
  await tryRows(store, screen, story.name)
  if (CLICKED.test(story.name)) await tryClicks(store, screen, story.name)
  endScreens()
}

test("each key does in each story what it did", () => expect(keys.text).toMatchSnapshot())

test("each row of the palette without a key does what it did", () => expect(rows.text).toMatchSnapshot())

test.each([...clicks])("a click does in the story %s what it did", (_, told) => {
  expect(told.join("\n")).toMatchSnapshot()
})
