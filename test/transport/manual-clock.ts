// Provides a clock that moves only when a test moves it.
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

  /** The number of timers. */
  get alarms(): number {
    return this.#alarms.length
  }

  /** Advances by `ms` and runs the timers due meanwhile, in order. */
  advance(ms: number): void {
    const end = this.#time + ms
    for (let alarm = this.#first(end); alarm !== null; alarm = this.#first(end)) this.#ring(alarm)
    this.#time = end
  }

  /** Advances in one jump, as for a suspended process: timers due meanwhile fire late. */
  oversleep(ms: number): void {
    this.#time += ms
    const due = this.#alarms.filter(alarm => alarm.at <= this.#time)
    for (const alarm of due) this.#ring(alarm)
  }

  /** Resolves once a timer is set, when the tested code does nothing but wait for it. */
  async idle(): Promise<void> {
    while (this.#alarms.length === 0) {
      await new Promise<void>(resolve => {
        this.#onAlarm = resolve
      })
    }
  }

  /** Advances to the next timer, fires it, and returns how many ms that took. */
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
