// Keeps how questions of an agent wait for each other, are answered, refused, cancelled and left.
import { keepTalks } from "../talks.ts"

keepTalks("asking")
