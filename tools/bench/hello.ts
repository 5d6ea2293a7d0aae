// Draws the least that the terminal library can draw, as the floor that a start is measured against.
import { createCliRenderer, TextRenderable } from "@opentui/core"

const renderer = await createCliRenderer({ exitOnCtrlC: true })
renderer.root.add(new TextRenderable(renderer, { content: "hello there" }))
