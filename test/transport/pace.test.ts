// Tests when the frames of a recording are due.
import { describe, expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { Pace, type Timing } from "../../src/transport/pace.ts"

const at = (ts: number | null) => decode(JSON.stringify({ kind: "event", seq: null, ts, event: "llm/start", data: {} }))
const note = decode('{"kind":"sidecar","at":99999,"what":"link"}')
const noTime = decode('{"kind":"debug","paused":true,"step-budget":0}')

/** When each frame is due if nothing is late: the clock is at the previous frame. */
function times(timing: Timing, frames: readonly ReturnType<typeof decode>[], speed = 1): number[] {
  const pace = new Pace(timing, speed, 2000)
  const due: number[] = []
  for (const frame of frames) due.push(pace.dueAt(frame, due.at(-1) ?? 0))
  return due
}

test("instant every frame is due at once", () => {
  expect(times("instant", [at(0), at(5000), noTime])).toEqual([0, 0, 0])
})

describe("paced", () => {
  test("the first frame is due at once, then one every 40 ms; other lines take no time", () => {
    expect(times("paced", [at(0), note, decode(""), at(9999), noTime, decode("nonsense")])).toEqual([
      0, 0, 0, 40, 80, 120,
    ])
  })

  test("the speed divides", () => {
    expect(times("paced", [at(0), at(0)], 4)).toEqual([0, 10])
  })
})

describe("wallclock", () => {
  test("gaps are those of the recorded times, at most 2 s", () => {
    expect(times("wallclock", [at(1000), at(1500), at(1500), at(90_000), at(90_100)])).toEqual([
      0, 500, 500, 2500, 2600,
    ])
  })

  test("the speed divides the limited gap", () => {
    expect(times("wallclock", [at(0), at(1000), at(99_999)], 2)).toEqual([0, 500, 1500])
  })

  test("a frame without a time is due with the one before it", () => {
    expect(times("wallclock", [noTime, at(100), noTime, note, at(null), at(300)])).toEqual([0, 0, 0, 0, 0, 200])
  })

  test("a time that steps back is no gap and does not delay later frames", () => {
    expect(times("wallclock", [at(1000), at(400), at(1000), at(1100)])).toEqual([0, 0, 0, 100])
  })

  test("a time that falls back far restarts the pace there", () => {
    expect(times("wallclock", [at(1_000_000), at(5), at(105)])).toEqual([0, 0, 100])
  })
})

test("after the process was suspended, playback continues without racing", () => {
  const pace = new Pace("paced", 1, 2000)
  expect(pace.dueAt(at(0), 0)).toBe(0)
  expect(pace.dueAt(at(0), 0)).toBe(40)
  expect(pace.dueAt(at(0), 100)).toBe(80)
  expect(pace.dueAt(at(0), 100_000)).toBe(99_790)
  expect(pace.dueAt(at(0), 100_000)).toBe(99_830)
})
