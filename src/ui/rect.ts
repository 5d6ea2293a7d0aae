// A rectangle of cells, counted from the top left corner.

export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Rows and columns inside a pane's border. */
export function inside(rect: Rect): { columns: number; rows: number } {
  return { columns: Math.max(0, rect.width - 4), rows: Math.max(0, rect.height - 2) }
}
