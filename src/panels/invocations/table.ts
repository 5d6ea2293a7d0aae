// Divides a row of a table into columns: numbers keep fixed places at the right, the name takes what is left.

export interface Column<Id extends string> {
  readonly id: Id
  readonly title: string
  readonly width: number
  readonly align: "left" | "right"
}

export interface Table<Id extends string> {
  /** Columns of the name, which stands first. */
  readonly name: number
  readonly columns: readonly Column<Id>[]
}

/**
 * The columns that a width has room for. `given` stand as they are drawn; where they do not all fit beside a name of
 * `least` columns, those that stand last in `rank` go first.
 */
export function tableFor<Id extends string>(
  given: readonly Column<Id>[],
  rank: readonly Id[],
  least: number,
  width: number,
): Table<Id> {
  const kept = new Set<Id>()
  let room = width - least
  for (const id of rank) {
    const column = given.find(one => one.id === id)
    if (column === undefined || column.width > room) break
    kept.add(id)
    room -= column.width
  }
  const columns = given.filter(({ id }) => kept.has(id))
  return { name: Math.max(1, width - columns.reduce((sum, one) => sum + one.width, 0)), columns }
}
