// Reads one value of the command line or the environment; a wrong one is an Error of one line that names it.

export function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(1|true|yes|on)$/i.test(value)
}

export function isOff(value: string | undefined): boolean {
  return value !== undefined && /^(0|false|no|off)$/i.test(value)
}

export function choice<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find(one => one === value)
  if (found === undefined) throw new Error(`${name}: ${value} is none of ${allowed.join(", ")}`)
  return found
}

export function number(name: string, value: string, least: number, most: number): number {
  const read = Number(value)
  if (value.trim() === "" || !(read >= least && read <= most))
    throw new Error(`${name}: ${value} is no number from ${least} to ${most}`)
  return read
}
