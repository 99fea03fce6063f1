/** Changes of availability kept for the lag of the catalogue, per type and location. */
const HISTORY_MAX = 64;

interface Shelf {
  /** Infinite unless set. */
  count: number;
  /** Oldest first; the first entry holds for all time before. */
  readonly availability: { readonly sinceMs: number; readonly available: boolean }[];
}

/** How many machines of each type a location has left. */
export class Stock {
  private readonly shelves = new Map<string, Shelf>();
  private readonly closedLocations = new Set<string>();

  constructor(private readonly now: () => number) {}

  /** Infinity: as many as anybody may want. */
  set(typeName: string, locationName: string, count: number): void {
    const shelf = this.shelf(typeName, locationName);
    shelf.count = count;
    this.noteAvailability(shelf);
  }

  count(typeName: string, locationName: string): number {
    return this.shelf(typeName, locationName).count;
  }

  take(typeName: string, locationName: string): void {
    this.set(typeName, locationName, this.count(typeName, locationName) - 1);
  }

  giveBack(typeName: string, locationName: string): void {
    this.set(typeName, locationName, this.count(typeName, locationName) + 1);
  }

  setLocationClosed(locationName: string, closed: boolean): void {
    if (closed) this.closedLocations.add(locationName);
    else this.closedLocations.delete(locationName);
  }

  isLocationClosed(locationName: string): boolean {
    return this.closedLocations.has(locationName);
  }

  /** What the catalogue showed at that time. */
  wasAvailable(typeName: string, locationName: string, atMs: number): boolean {
    const { availability } = this.shelf(typeName, locationName);
    const last = availability.findLast((entry) => entry.sinceMs <= atMs);
    return (last ?? availability[0]!).available;
  }

  private shelf(typeName: string, locationName: string): Shelf {
    const key = `${typeName}@${locationName}`;
    let shelf = this.shelves.get(key);
    if (shelf === undefined) {
      shelf = { count: Infinity, availability: [{ sinceMs: -Infinity, available: true }] };
      this.shelves.set(key, shelf);
    }
    return shelf;
  }

  private noteAvailability(shelf: Shelf): void {
    const available = shelf.count > 0;
    if (shelf.availability.at(-1)!.available === available) return;
    shelf.availability.push({ sinceMs: this.now(), available });
    if (shelf.availability.length > HISTORY_MAX) shelf.availability.shift();
  }
}
