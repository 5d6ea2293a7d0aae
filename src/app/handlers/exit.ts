// Leaves the program. A guest's command ends first, and its exit code is ours.
import type { GuestSource } from "../../guest/guest-source.ts"
import type { Surface } from "../../screen/surface.ts"
import type { Store } from "../../view/store.ts"
import { quitMessage } from "../exit-messages.ts"
import type { HandlersOf } from "./effect-handlers.ts"

export function exitHandler(store: Store, surface: Surface, guest: GuestSource | null): HandlersOf<"program/exit"> {
  return {
    "program/exit"({ code }) {
      if (guest === null) surface.leave(code, quitMessage(store.shown()))
      else void guest.terminate().then(own => surface.leave(own))
    },
  }
}
