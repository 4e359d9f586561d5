// Base class of the page's state: panels subscribe to changes and read the new state through getters.
export class Observable<Change> {
  private readonly listeners: ((change: Change) => void)[] = [];

  // Listeners are called in the order in which they subscribed.
  subscribe(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  protected notify(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }
}
