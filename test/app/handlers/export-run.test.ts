// Tests how the page about a moment names its recording.
import { expect, test } from "bun:test"
import { placeIn } from "../../../src/app/handlers/export-run.ts"

test("a recording is named as it was typed, or from where the program was started, and never by a way through a home", () => {
  const here = "/home/ada/shop"
  const places = [
    ["runs/a.jsonl", "runs/a.jsonl", true],
    ["./runs/../a.jsonl", "a.jsonl", true],
    ["../other/run", "../other/run", true],
    ["/home/ada/shop/.escapement/sessions/7", ".escapement/sessions/7", true],
    ["/home/ada/shop", ".", true],
    ["/home/ada/private/run", "run", false],
    ["/tmp/run.jsonl", "run.jsonl", false],
    ["/home/ada/shop-old/run.jsonl", "run.jsonl", false],
  ] as const
  for (const [typed, path, isWhole] of places) expect(placeIn(here, typed)).toEqual({ path, isWhole })
})
