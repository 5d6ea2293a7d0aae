// Tests that what the program reports is seen, even when two things fail at once.
import { expect, test } from "bun:test"
import { NOTICE_MS } from "../../../src/view/view.ts"
import { open, Planned } from "../planned.ts"

const disk = { type: "notice/show", text: "Can't record to a.jsonl: disk full" } as const
const past = { type: "notice/show", text: "Can't store the past of this run any longer: disk full" } as const

test("a warning doesn't take the place of one that still stands", () => {
  const screen = new Planned(open).ask(disk).ask(past, 10)
  expect(screen.said).toBe(`${disk.text} · ${past.text}`)
  expect(screen.ask(disk, 10).said).toBe(`${disk.text} · ${past.text}`)
})

test("a warning whose time is over, and information, are replaced", () => {
  const screen = new Planned(open).ask(disk).ask(past, 3 * NOTICE_MS + 1)
  expect(screen.said).toBe(past.text)
  const copied = new Planned(open).ask({ ...disk, level: "info" }).ask(past, 10)
  expect(copied.said).toBe(past.text)
  expect(copied.ask({ ...disk, level: "info" }, 10).said).toBe(disk.text)
})
