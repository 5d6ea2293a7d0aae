// Makes the fields of a record writable.

export type Mutable<T> = { -readonly [K in keyof T]: T[K] }
