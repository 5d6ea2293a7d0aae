/** Says how many requests each response that is written stands for. */
export class RequestCount {
  /** True once a part of the current request's reply was written. */
  #isReplied = false
  #isAnswered = false
  #sinceResult = 0

  get sinceResult(): number {
    return this.#sinceResult
  }

  beginTurn(): void {
    this.#isReplied = false
    this.#isAnswered = false
  }

  /** A tool has answered: the next words of the model are of another request. */
  answer(): void {
    this.#isAnswered = true
  }

  /** The requests of a response: 0 if it goes on with the reply before it. */
  next(hasContent: boolean): number {
    const requests = this.#isReplied && !(hasContent && this.#isAnswered) ? 0 : 1
    this.#isReplied = true
    if (hasContent) this.#isAnswered = false
    this.#sinceResult += requests
    return requests
  }

  endRun(): void {
    this.beginTurn()
    this.#sinceResult = 0
  }
}
