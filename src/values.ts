// Reads the values of options and variables; what is wrong with one is an Error of one clear line.

/** True where a variable says yes. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(1|true|yes|on)$/i.test(value)
}

/** True where a variable says no; one that is absent says nothing. */
export function isOff(value: string | undefined): boolean {
  return value !== undefined && /^(0|false|no|off)$/i.test(value)
}

/** One of the words that are allowed; else an Error that names them. */
export function choice<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find(one => one === value)
  if (found === undefined) throw new Error(`${name}: ${value} is none of ${allowed.join(", ")}`)
  return found
}

/** A number between two others, both included; else an Error of one line. */
export function number(name: string, value: string, least: number, most: number): number {
  const read = Number(value)
  if (value.trim() === "" || !(read >= least && read <= most))
    throw new Error(`${name}: ${value} is no number from ${least} to ${most}`)
  return read
}
