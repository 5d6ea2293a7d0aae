// Draws docs/demo.svg: the demo in moving pictures, with its questions, an answer, the waterfall and the way back in time.
import { join } from "node:path"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { frameNumber, type Run } from "../../src/run/model/run.ts"
import { fixture, readFrames, root } from "../../test/fixtures.ts"
import { endScreens } from "../../test/screen/open-screens.ts"
import { type Shown, show } from "../../test/screen/screen.tsx"
import { movingSvg, type Shot } from "./moving.ts"

export const MOVING_PICTURE = join(root, "docs/demo.svg")
const SIZE = { columns: 100, rows: 28 }
const PAPER = { background: "#12161d", foreground: "#f5c451", title: "opentui-sidecar shows the demo" }
/** Lines of the demo where something begins. */
const DRAFTS = 640
const REVIEW = 1738
const ASKS_TITLE = 2035
const ASKS_HONESTY = 2039
const ASKS_SIGN = 2043
const REPORT = 2050
/** Lines that come as one; going back in time shows the moments between. */
const AT_ONCE = 15
/** After this time a new question takes keys, ms. */
const LISTENS_MS = 700

/** The demo as a camera sees it. */
class Film {
  readonly shots: Shot[] = []
  readonly #runs: Run[] = []
  #at = 0

  private constructor(
    private readonly screen: Shown,
    private readonly lines: readonly Decoded[],
    /** The wall clock, epoch ms. */
    private now: number,
  ) {}

  static async begin(): Promise<Film> {
    const lines = await readFrames(fixture("demo"))
    const first = lines.find(line => "ts" in line && line.ts !== null)
    const now = first !== undefined && "ts" in first && first.ts !== null ? first.ts : 0
    return new Film(await show({ ...SIZE, now }), lines, now)
  }

  /** Lets the demo go on up to a line. What was answered on the screen is not heard again. */
  to(line: number): void {
    while (this.#at < line) {
      const end = Math.min(line, this.#at + AT_ONCE)
      const next = this.lines.slice(this.#at, end).filter(({ kind }) => kind !== "answer")
      this.#at = end
      const last = next.findLast(one => "ts" in one && one.ts !== null)
      if (last !== undefined && "ts" in last && last.ts !== null) this.pass(last.ts - this.now)
      this.screen.feed(...next)
      this.#runs.push(this.screen.store.get().run)
    }
  }

  pass(ms: number): void {
    if (ms <= 0) return
    this.now += ms
    this.screen.pass(ms)
  }

  async shoot(ms: number, caption = ""): Promise<void> {
    await this.screen.settle()
    this.shots.push({ frame: await this.screen.frame(), ms, caption })
  }

  /** Streams from here to a line, in pictures of so many lines each. */
  async stream(line: number, step: number, ms: number, caption = ""): Promise<void> {
    while (this.#at < line) {
      this.to(Math.min(line, this.#at + step))
      await this.shoot(ms, caption)
    }
  }

  select(...strokes: readonly string[]): void {
    this.screen.press(...strokes)
  }

  async press(caption: string, ms: number, ...strokes: readonly string[]): Promise<void> {
    const before = this.screen.effects.length
    this.screen.press(...strokes)
    this.#seek(before)
    await this.shoot(ms, caption)
  }

  /** Shows the moment that a key asked for, if it did: by the effects from this place on. */
  #seek(from: number): void {
    const effect = this.screen.effects.slice(from).findLast(one => one.type === "time/seek")
    if (effect?.type !== "time/seek" || effect.moment.type !== "frame") return
    const { frame } = effect.moment
    const run = this.#runs.findLast(one => frameNumber(one) <= frame) ?? null
    this.screen.store.dispatch({ type: "show", run })
  }
}

/** The expected picture, independent of clock and chance. */
export async function movingPicture(): Promise<string> {
  const film = await Film.begin()
  film.to(DRAFTS)
  // The first drafter's text has only letters that every font has.
  film.select("g", "j", "j")
  await film.stream(1150, 48, 380, "every session, while it streams")
  film.select("end")
  film.to(REVIEW)
  await film.stream(2024, 70, 380, "every session, while it streams")
  film.to(ASKS_TITLE)
  film.pass(LISTENS_MS)
  await film.shoot(1800, "the agent asks")
  await film.press("Enter answers", 1000, "enter")
  film.to(ASKS_HONESTY)
  film.pass(LISTENS_MS)
  await film.shoot(2000, "it asks again")
  await film.press("y answers Yes", 1600, "y")
  // By then it can no longer be taken back.
  film.pass(2500)
  film.to(ASKS_SIGN)
  film.pass(LISTENS_MS)
  await film.shoot(1000, "and once more")
  for (const part of ["Marit,", " harbour", " office"]) await film.press("typed", 450, ...part)
  await film.press("Enter sends it", 800, "enter")
  film.to(REPORT)
  await film.stream(2611, 62, 380, "the report is written")
  await film.press("T: who worked when", 2200, "T")
  // A digit goes to a tab of the inspector, so it is closed first.
  await film.press("Esc closes it", 700, "escape")
  for (let step = 0; step < 5; step++) await film.press("90 , goes back in time by 90 frames", 450, "9", "0", ",")
  await film.shoot(1600, "the screen as it was then")
  await film.press("End: the present", 1000, "end")
  const still = film.shots.findIndex(({ caption }) => caption === "it asks again")
  return movingSvg(film.shots, still, PAPER)
}

if (import.meta.main) {
  await Bun.write(MOVING_PICTURE, await movingPicture())
  endScreens()
}
