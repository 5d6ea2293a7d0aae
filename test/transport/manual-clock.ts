// Is a clock that stands still until a test moves it.
import type { Clock } from "../../src/transport/clock.ts"

interface Alarm {
  readonly at: number
  readonly run: () => void
}

export class ManualClock implements Clock {
  #time = 0
  #alarms: Alarm[] = []
  #onAlarm: () => void = () => undefined

  now(): number {
    return 1_700_000_000_000 + this.#time
  }

  elapsed(): number {
    return this.#time
  }

  after(ms: number, run: () => void): () => void {
    const alarm = { at: this.#time + Math.max(0, ms), run }
    this.#alarms.push(alarm)
    this.#onAlarm()
    return () => {
      this.#alarms = this.#alarms.filter(other => other !== alarm)
    }
  }

  sleep(ms: number): void {
    this.#time += ms
  }

  /** How many alarms are set. */
  get alarms(): number {
    return this.#alarms.length
  }

  /** Moves on by `ms` and runs what is due meanwhile, in order of time. */
  advance(ms: number): void {
    const end = this.#time + ms
    for (let alarm = this.#first(end); alarm !== null; alarm = this.#first(end)) this.#ring(alarm)
    this.#time = end
  }

  /** Moves on at one go, as a process does that was stopped: what was due meanwhile rings late. */
  oversleep(ms: number): void {
    this.#time += ms
    const due = this.#alarms.filter(alarm => alarm.at <= this.#time)
    for (const alarm of due) this.#ring(alarm)
  }

  /** Resolves once an alarm is set: whoever is tested waits for it and does nothing else. */
  async idle(): Promise<void> {
    while (this.#alarms.length === 0) {
      await new Promise<void>(resolve => {
        this.#onAlarm = resolve
      })
    }
  }

  /** Moves to the next alarm, rings it, and tells how many ms that was. */
  step(): number {
    const from = this.#time
    const alarm = this.#first(Number.POSITIVE_INFINITY)
    if (alarm !== null) this.#ring(alarm)
    return this.#time - from
  }

  #first(until: number): Alarm | null {
    const due = this.#alarms.filter(alarm => alarm.at <= until)
    return due.reduce<Alarm | null>((first, alarm) => (first === null || alarm.at < first.at ? alarm : first), null)
  }

  #ring(alarm: Alarm): void {
    this.#alarms = this.#alarms.filter(other => other !== alarm)
    this.#time = Math.max(this.#time, alarm.at)
    alarm.run()
  }
}
