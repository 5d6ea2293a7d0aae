// Tests that items are delivered at once or in batches.
import { expect, test } from "bun:test"
import { batch } from "../../fixtures/scripts/timers.json"
import { Batch, TURN_UNITS } from "../../src/transport/message.ts"
import { ManualClock } from "./manual-clock.ts"

interface Item {
  readonly letter: string
}

/** The units of work of an item: a large letter takes a third of a turn. */
const unitsOf = ({ letter }: Item) => (/[A-Z]/.test(letter) ? TURN_UNITS / 3 : 1)

/**
 * Letters that are added together, where `#` is the work of a turn that made none, and `!` tells when it is made; times
 * that pass, ms, how long the
 * process sleeps (`z`), turns of the event loop, and in brackets what is delivered.
 */
test.each(batch)("a batch %s, and no timer stays", (_, script) => {
  const clock = new ManualClock()
  const told: string[] = []
  const deliver = (items: readonly Item[]) => void told.push(`[${items.map(({ letter }) => letter).join("")}]`)
  const batch = new Batch(clock, 16, deliver, unitsOf)
  function* items(word: string) {
    for (const letter of word) {
      if (letter === "!") told.push("made")
      yield "!#".includes(letter) ? (letter === "#" ? TURN_UNITS : 0) : { letter }
    }
  }
  for (const word of script.split(" ").filter(one => !/^\[|made/.test(one))) {
    told.push(word)
    if (word === "flush") batch.flush()
    else if (word === "turn") clock.step()
    else if (word === "stop") batch.stop()
    else if (/^z\d/.test(word)) clock.oversleep(Number(word.slice(1)))
    else if (/^\d/.test(word)) clock.advance(Number(word))
    else batch.add(items(word))
  }
  expect(told.join(" ")).toBe(script)
  expect([clock.alarms, batch.isEmpty]).toEqual([0, true])
})
